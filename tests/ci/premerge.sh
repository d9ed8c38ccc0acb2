#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ci/premerge on small repositories whose ci/build makes a stand-in for the gate: which commits it compares, what it
# answers, and what it says where history is missing.
# usage: premerge.sh CI_DIRECTORY
set -euo pipefail

ci=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name someone
git config --global user.email someone@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always

fail() {
  printf 'expected %s\nexit %s\n%s\n' "$1" "$status" "$output"
  exit 1
}

# premerge ARGUMENT...: runs it in the current repository; sets status and output.
premerge() {
  status=0
  output=$(ci/premerge "$@" 2>&1) || status=$?
}

# The stand-in says what it was called with, and ends with the number in the file "verdict" of its commit.
make_repository() {
  git init --quiet "$1"
  cd "$1"
  mkdir ci
  cp "$ci/premerge" ci/premerge
  cat >ci/build <<'TEXT'
#!/usr/bin/env bash
set -eu
[[ ! -e broken ]]
mkdir -p build/release
printf '#!/bin/sh\necho "$0 $*"\n[ "$2" != --end ] && [ $(cat %s/verdict) -lt 2 ] && echo x >build/premerge/ab.json\nexit %s\n' \
  "$PWD" "$(cat verdict)" >build/release/decode-kernel-census
chmod +x build/release/decode-kernel-census
TEXT
  chmod +x ci/build
  echo build/ >.gitignore
  echo 0 >verdict
  git add .
  git commit --quiet -m base
}

# commit MESSAGE: everything in the work tree.
commit() {
  git add -A
  git commit --quiet -m "$1"
}

make_repository "$work/origin"
premerge
[[ $status -eq 0 && $output == *"nothing to compare"* ]] || fail "0 on the branch itself"

git checkout --quiet -b change
echo 1 >verdict
commit "slow change"
premerge
[[ $status -eq 1 ]] || fail "the verdict's exit code"
[[ $output == *"premerge/head/build/release/decode-kernel-census ab --base $PWD/build/premerge/base/"* ]] || fail "both builds"
[[ $output == *"head "*" slow change"* && $output == *"base "*" base"* ]] || fail "the commits to be named"
[[ $output == *" ab --end build/premerge"* ]] || fail "the report to be printed"

premerge main -- --row 'a*' --pairs 7
[[ $output == *"--row a* --pairs 7"* ]] || fail "the options of ab to be passed on"

echo 2 >verdict
premerge
[[ $output == *"not committed"* && $status -eq 1 ]] || fail "uncommitted changes to be named and not measured"
git checkout --quiet -- verdict

# The merge base, not the tip, is what a change is compared with.
git checkout --quiet main
echo later >later
commit "later on main"
git checkout --quiet change
premerge
[[ $output == *"base "*" base"* && $output != *"later on main"* ]] || fail "the merge base"

premerge nowhere
[[ $status -eq 2 && $output == *"no commit nowhere"* ]] || fail "2 for an unknown BASE_REF"
premerge main head
[[ $status -eq 2 && $output == *usage* ]] || fail "2 for too many arguments"

touch broken
commit "does not build"
premerge
[[ $status -eq 2 && $output == *"head "*"does not build"* ]] || fail "2 when head does not build"
git reset --quiet --hard HEAD~1

git clone --quiet --depth 1 --branch change "file://$work/origin" "$work/shallow"
cd "$work/shallow"
premerge
[[ $status -eq 1 && $output == *"shallow clone: fetching"* ]] || fail "a shallow clone to be deepened"

git clone --quiet --depth 1 --branch change "file://$work/origin" "$work/cut"
cd "$work/cut"
git remote remove origin
premerge main
[[ $status -eq 2 && $output == *"shallow"*"no remote"* ]] || fail "2 and what is missing without a remote"

# A base that does not build is no verdict on the change.
make_repository "$work/broken"
touch broken
commit "broken base"
git checkout --quiet -b change
git rm --quiet broken
commit "repair"
premerge
[[ $status -eq 3 && $output == *"base "*"does not build"* ]] || fail "3 when the base does not build"
