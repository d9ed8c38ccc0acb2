#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ci/sanitize-gpu with tests and a sanitizer that pretend: what it calls clean, what it fails, when it skips.
# usage: sanitizes_gpu.sh PROJECT
set -euo pipefail

fail() {
  printf 'expected %s\nstatus %s\n%s\n' "$1" "$status" "$output"
  exit 1
}

project=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build/tests/kernels" "$work/bin"
cat >"$work/build/tests/kernels/float_gemv_test" <<'TEXT'
#!/bin/sh
[ -z "${NO_GPU-}" ] || { echo "contract.hpp:1: Skipped"; echo "no usable GPU: no driver"; echo "[  SKIPPED ] 1 test"; exit 0; }
echo "[  PASSED  ] ${TESTS-3} tests."
TEXT
cp "$work/build/tests/kernels/float_gemv_test" "$work/build/tests/kernels/quantised_contract_test"
# Called as: compute-sanitizer --tool NAME --error-exitcode N --print-limit N PROGRAM ARGUMENT...
cat >"$work/bin/compute-sanitizer" <<'TEXT'
#!/bin/sh
tool=$2 code=$4
shift 6
"$@" || exit
case ${FINDING-}:$tool in
  error:racecheck) echo "========= Error: race"; exit "$code" ;;
  warning:racecheck) echo "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)" ;;
  hang:racecheck) sleep 20 ;;
  *) echo "========= ERROR SUMMARY: 0 errors" ;;
esac
TEXT
chmod +x "$work"/build/tests/kernels/* "$work/bin/compute-sanitizer"
export PATH=$work/bin:$PATH CUDA_HOME=/nowhere

run() {
  status=0
  output=$(env "$@" "$project/ci/sanitize-gpu" "$work/build" 2>&1) || status=$?
}

run A=b
[[ $status -eq 0 && $(grep -c ': clean, 6 tests' <<<"$output") -eq 4 ]] || fail "four clean tools, exit 0"
run FINDING=error
[[ $status -eq 1 && $output == *"racecheck: float_gemv_test: found something"*"Error: race"* ]] || fail "exit 1 with the finding"
run FINDING=warning
[[ $status -eq 1 && $output == *"1 hazard displayed"* ]] || fail "a warning to be a finding"
run FINDING=hang CENSUS_SANITIZE_LIMIT=1
[[ $status -eq 1 && $output == *"racecheck: float_gemv_test: did not end within 1 s"* ]] || fail "a tool that hangs to be ended"
run TESTS=0
[[ $status -eq 1 && $output == *"ran no test"* ]] || fail "no test to be no pass"
run NO_GPU=1
[[ $status -eq 77 && $output == *"skipped: no usable GPU: no driver"* ]] || fail "77 without a GPU"
run PATH=/usr/bin:/bin
[[ $status -eq 77 && $output == *"no compute-sanitizer"* ]] || fail "77 without the tool"
rm "$work/build/tests/kernels/float_gemv_test"
run A=b
[[ $status -eq 2 && $output == *"has no tests/kernels/float_gemv_test"* ]] || fail "2 for a tree without the tests"
