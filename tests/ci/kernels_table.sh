#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ci/kernels-table on a page of its own, with a census that pretends: what it replaces, keeps and refuses.
# usage: kernels_table.sh PROJECT
set -euo pipefail

fail() {
  printf 'expected %s\nstatus %s\n%s\n' "$1" "$status" "$output"
  exit 1
}

project=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/ci" "$work/kernels" "$work/build/dev"
cp "$project/ci/kernels-table" "$work/ci/"
cat >"$work/build/dev/decode-kernel-census" <<'TEXT'
#!/bin/sh
[ "$4" != missing.json ] || { echo "missing.json: cannot be read" >&2; exit 2; }
echo "table of $*"
TEXT
chmod +x "$work/build/dev/decode-kernel-census"
printf 'above\n<!-- kernels-table old.json -->\nstale\n<!-- /kernels-table -->\nbelow\n' >"$work/kernels/README.md"

run() {
  status=0
  output=$("$work/ci/kernels-table" "$@" 2>&1) || status=$?
  output+=$'\n'$(cat "$work/kernels/README.md")
}

run --check
[[ $status -eq 1 && $output == *"run ci/kernels-table"*"stale"* ]] || fail "--check to fail and to write nothing"
run
[[ $status -eq 0 && $output == *above*"table of report --format kernels old.json"*below ]] || fail "the records of the mark"
[[ $output != *stale* ]] || fail "the old table to go"
run --check
[[ $status -eq 0 ]] || fail "--check to pass on what was written"
run a.json b.json
[[ $status -eq 0 && $output == *"<!-- kernels-table a.json b.json -->"*"kernels a.json b.json"* ]] || fail "other records"
before=$(cat "$work/kernels/README.md")
run missing.json
[[ $status -eq 2 && $(cat "$work/kernels/README.md") == "$before" ]] || fail "an unreadable record to leave the page alone"
echo "no marks" >"$work/kernels/README.md"
run
[[ $status -eq 2 && $output == *"needs one line"* ]] || fail "2 for a page without marks"
