# SPDX-License-Identifier: MIT
# What the scripts in this directory share.
# shellcheck shell=bash
#
# From the environment: CI, the directory of the scripts; STUB, the CDash stand-in; WORK, a directory for this case.
set -euo pipefail
: "${CI:?}" "${STUB:?}" "${WORK:?}"

export CENSUS_CDASH_DELAY=0 CENSUS_CDASH_TIMEOUT=1
unset CENSUS_CDASH_URL CENSUS_CDASH_TOKEN CENSUS_CDASH_SPOOL CTEST_OUTPUT_ON_FAILURE
status=0
output=''

# run COMMAND...: sets status and output.
run() {
  status=0
  output=$("$@" 2>&1) || status=$?
}

# expect WHAT TEST...: ends the case, showing the last output, unless the test holds.
expect() {
  local what=$1
  shift
  "$@" && return
  printf 'expected %s; the last command ended with %s and printed:\n%s\n' "$what" "$status" "$output"
  exit 1
}

says() { [[ $output == *"$1"* ]]; }

# start_stub: serves on the port in $WORK/inbox/port until the script ends, and sets CENSUS_CDASH_URL.
start_stub() {
  inbox=$WORK/inbox
  rm -rf "$inbox"
  mkdir -p "$inbox"
  "$STUB" "$inbox" &
  stub=$!
  # shellcheck disable=SC2064 # this process and no later one
  trap "kill $stub 2>/dev/null || true" EXIT
  until [[ -s $inbox/port ]]; do
    kill -0 "$stub" || exit 1
    sleep 0.02
  done
  CENSUS_CDASH_URL="http://127.0.0.1:$(cat "$inbox/port")/submit.php?project=toy"
  export CENSUS_CDASH_URL
}

# builds: what the server has, without site and name: "<stamp>: <parts>".
builds() { sed 's/^[^:]* \([^ ]*:\)/\1/' "$inbox/builds.txt" 2>/dev/null || true; }

# waiting SPOOL: how many builds wait there.
waiting() { find "$1" -mindepth 2 -maxdepth 2 -path '*/[0-9]*/build.txt' | wc -l; }
