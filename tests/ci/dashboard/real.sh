#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ci/dashboard builds a consumer, judges its rows, and what it found reaches a CDash server: green, red, and nothing to say.
# usage: real.sh CONSUMER PREFIX BASELINES BUILD, with the environment of case.sh
source "$(dirname "$0")/case.sh"
consumer=$1 prefix=$2 baselines=$3 build=$4
rm -rf "$build" "$WORK"
mkdir -p "$WORK/none"
start_stub
export CENSUS_CDASH_TOKEN=toy-token CENSUS_CDASH_SPOOL=$WORK/spool

dashboard() {
  run "$CI/dashboard" --source "$consumer" --build "$build" "-DCMAKE_PREFIX_PATH=$prefix" -DTOY_BLIND=OFF "$@"
  ! grep -q toy-token <<<"$output" || expect "no token in what it prints" false
}
measurement() { tr -d '\n\t' <"$inbox/Test.xml" | grep -q "<NamedMeasurement type=\"$1\" name=\"$2\"><Value>$3</Value>"; }

echo token >"$inbox/mode"
dashboard --model PreMerge --change 4711 "-DTOY_BASELINES=$baselines"
expect "a green run" [ "$status" -eq 0 ]
expect "the server's build id" says "Submitted: CDash build 42 of site"
expect "the whole build" [ "$(builds | sed 's/^[^:]*: //')" = "Configure.xml Build.xml Test.xml Notes.xml done" ]
expect "the group of changes" grep -q -- '-PreMerge:' "$inbox/builds.txt"
expect "a name without a commit" grep -Eq '^[^ ]+ [a-z0-9-]+-cxx[0-9]+(-cuda[0-9.]+)?-Release ' "$inbox/builds.txt"
expect "the change's id" grep -q 'ChangeId="4711"' "$inbox/Test.xml"
expect "a time in us" measurement numeric/double us '[0-9]*[.][0-9]*'
expect "a verdict" measurement text/string verdict pass
expect "the record of a row" grep -q 'name="Attached File"' "$inbox/Test.xml"
for note in commit 'cpu-generic.json' '--footprint' driver; do expect "$note in the notes" grep -qe "$note" "$inbox/Notes.xml"; done
expect "the token in the requests" grep -q 'Bearer toy-token' "$inbox/1.head"
expect "no token in the results" [ -z "$(grep -rl toy-token "$build" "$CENSUS_CDASH_SPOOL" "$inbox"/*.body)" ]
expect "an empty spool" [ "$(waiting "$CENSUS_CDASH_SPOOL")" -eq 0 ]
expect "JUnit with numbers" grep -q '<property name="us"' "$build/census-results/toy_gate.xml"
cp -r "$build/Testing" "$WORK/green-testing"

# A digest that is not the kernel's: incorrect.
cp -r "$baselines" "$WORK/wrong"
sed -i 's/"output_digest": "4a624f7f9b750a00"/"output_digest": "0000000000000001"/' "$WORK"/wrong/*.json
dashboard --model Nightly "-DTOY_BASELINES=$WORK/wrong"
expect "exit 1 for an incorrect row" [ "$status" -eq 1 ]
expect "the row and the reason" says "incorrect: cpu toy.sum.16384: "
expect "a red run to be submitted" [ "$(wc -l <"$inbox/builds.txt")" -eq 2 ]
expect "numbers of a red row" measurement text/string verdict incorrect

# The same night again, without one baseline: nothing of the earlier run is left, and nothing was judged.
dashboard --model Nightly "-DTOY_BASELINES=$WORK/none"
expect "exit 3 for a run without a verdict" [ "$status" -eq 3 ]
expect "the same build to be replaced" [ "$(wc -l <"$inbox/builds.txt")" -eq 2 ]
expect "skipped rows" grep -q 'SKIP_RETURN_CODE=77' "$inbox/Test.xml"
expect "the record of a skipped row" grep -q 'name="Attached File"' "$inbox/Test.xml"

# A red that CDash cannot be told of is the same red.
echo 500 >"$inbox/mode"
dashboard --require-submit "-DTOY_BASELINES=$WORK/wrong"
expect "exit 1 though CDash is down" [ "$status" -eq 1 ]
expect "a loud notice" says "NOT SUBMITTED"

dashboard "-DCMAKE_PREFIX_PATH=$WORK/none" "-Dkernel-census_DIR=$WORK/none"
expect "exit 2 for a failed configuration" [ "$status" -eq 2 ]
expect "the reason" says "cmake failed"
