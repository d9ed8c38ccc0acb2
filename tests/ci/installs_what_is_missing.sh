#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ci/build on a machine that has nothing: what it asks apt for, and what it says where there is no apt.
# usage: installs_what_is_missing.sh CI_DIRECTORY
set -euo pipefail

fail() {
  printf 'expected %s\n%s\n' "$1" "$output"
  exit 1
}

ci=$1
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
for tool in basename bash cat dirname env; do ln -s "$(command -v $tool)" "$bin/$tool"; done

status=0
output=$(PATH=$bin bash "$ci/build" 2>&1) || status=$?
[[ $status -eq 2 ]] || fail "exit 2 without apt-get, not $status"
[[ $output == *"no apt-get"*"cmake ninja-build g++ git"* ]] || fail "the names of what to install"

# An apt-get that notes what it is asked for, and fails, so that nothing is built.
{ echo "#!$bin/bash" && cat <<'TEXT'; } >"$bin/apt-get"
echo "apt-get $*"
[[ $1 == update ]]
TEXT
{ echo "#!$bin/bash" && cat <<'TEXT'; } >"$bin/sudo"
echo sudo
exec "$@"
TEXT
chmod +x "$bin/apt-get" "$bin/sudo"
status=0
output=$(PATH=$bin bash "$ci/build" 2>&1) || status=$?
[[ $status -ne 0 ]] || fail "the failure of apt-get to be reported"
for package in cmake ninja-build g++ git libboost-program-options-dev nlohmann-json3-dev libgtest-dev libgmock-dev; do
  [[ $output == *"apt-get install"*" $package"* ]] || fail "$package to be installed"
done
[[ $output != *cuda* && $output != *nvidia* ]] || fail "neither CUDA nor a driver to be installed"
[[ $EUID -eq 0 || $output == *sudo* ]] || fail "sudo where the user is not root"

# Neither root nor sudo. Root cannot show it without giving up being root.
if [[ $EUID -ne 0 ]]; then
  rm "$bin/sudo"
  status=0
  output=$(PATH=$bin bash "$ci/build" 2>&1) || status=$?
  [[ $status -eq 2 && $output == *"apt-get install cmake"* ]] || fail "exit 2 and the command to ask for"
fi
