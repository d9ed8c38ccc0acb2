#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What becomes of a green run, whatever the server answers: exit code, notice, spool; and that it arrives once in the end.
# usage: submits.sh TESTING, with the environment of case.sh; TESTING is what a green run left.
source "$(dirname "$0")/case.sh"
build=$WORK/build spool=$WORK/spool
rm -rf "$WORK"
mkdir -p "$build"
cp -r "$1" "$build/Testing"
start_stub
whole="Configure.xml Build.xml Test.xml Notes.xml done"
export CENSUS_CDASH_TOKEN=toy-token

# fresh: a run that the server has not seen.
number=0
fresh() {
  number=$((number + 1))
  sed -i "s/^stamp=.*/stamp=20261201-$((1000 + number))-Test/" "$build"/Testing/*/build.txt
}
submit() { run "$CI/dashboard" --submit-only --source "$WORK" --build "$build" --spool "$spool" "$@"; }
resubmit() { run "$CI/resubmit" --spool "$spool" "$@"; }
last_build() { builds | grep "^20261201-$((1000 + number))-Test:" | sed 's/^[^:]*: //'; }
requests() { find "$inbox" -name '*.head' | wc -l; }

# fails MODE PART NOTICE: the submit fails with this notice, the run stays green, and the build arrives once later.
fails() {
  fresh
  echo "$1 $2" >"$inbox/mode"
  submit
  expect "$1 $2: exit 0" [ "$status" -eq 0 ]
  expect "$1 $2: a loud notice with $3" says "NOT SUBMITTED: ${2:-Configure.xml}: $3"
  expect "$1 $2: the verdict" says "verdict 0, submit failed"
  expect "$1 $2: the way out" says "ci/resubmit --spool $spool"
  expect "$1 $2: one build in the spool" [ "$(waiting "$spool")" -eq 1 ]
  for part in Configure Build Test Notes; do
    expect "$1 $2: all of it" cmp "$build"/Testing/2*/$part.xml "$spool"/2*/$part.xml
  done
  echo ok >"$inbox/mode"
  resubmit
  expect "$1 $2: exit 0 of resubmit" [ "$status" -eq 0 ]
  expect "$1 $2: one copy of every part" [ "$(last_build)" = "$whole" ]
  expect "$1 $2: an empty spool" [ "$(waiting "$spool")" -eq 0 ]
}

for mode in ok token 503-once; do
  fresh
  echo $mode >"$inbox/mode"
  submit --require-submit
  expect "$mode: exit 0" [ "$status" -eq 0 ]
  expect "$mode: the build id" says "Submitted: CDash build "
  expect "$mode: one copy" [ "$(last_build)" = "$whole" ]
  expect "$mode: an empty spool" [ "$(waiting "$spool")" -eq 0 ]
done

fails error '' "CDash answered ERROR: Invalid "
expect "no control character of the server's" [ -z "$(tr -d '\n -~' <<<"$output")" ]
fails 401 '' "the server answered HTTP 401: it wants a token, set CENSUS_CDASH_TOKEN"
fails 404 '' "the server answered HTTP 404: no such project"
fails 500 '' "the server answered HTTP 500"
fails 503 '' "the server answered HTTP 503"
fails html '' "HTTP 200, but no answer of CDash with a build id"
fails empty Test.xml "HTTP 200, but no answer of CDash"
fails cut Test.xml "HTTP 200, but no answer of CDash"
fails redirect '' "the server redirects elsewhere"
fails wrong-md5 Test.xml "the server received other bytes"
fails hang Test.xml "no answer: "
fails drop Done.xml "no answer: "
fails 500 Test.xml "the server answered HTTP 500"
fails error Done.xml "CDash answered ERROR"

# Where the server wants a token and there is none.
fresh
echo token >"$inbox/mode"
unset CENSUS_CDASH_TOKEN
submit --require-submit
expect "exit 4" [ "$status" -eq 4 ]
expect "what is missing" says "it wants a token, set CENSUS_CDASH_TOKEN"
# Submitted once more before it arrived: still one build.
submit
expect "one build in the spool" [ "$(waiting "$spool")" -eq 1 ]
export CENSUS_CDASH_TOKEN=$'two\nlines'
resubmit
expect "exit 4 of resubmit" [ "$status" -eq 4 ]
expect "what is wrong with the token" says "CENSUS_CDASH_TOKEN has characters that no token has"
export CENSUS_CDASH_TOKEN=toy-token

# Refused, twice, and then both at once, oldest first, by two processes.
fresh
echo ok >"$inbox/mode"
url=$CENSUS_CDASH_URL
CENSUS_CDASH_URL="http://127.0.0.1:1/submit.php?project=toy" submit
expect "exit 0" [ "$status" -eq 0 ]
expect "no connection" says "NOT SUBMITTED: Configure.xml: no connection"
expect "word of the earlier build" says "1 earlier builds wait"
expect "two builds in the spool" [ "$(waiting "$spool")" -eq 2 ]
resubmit
expect "exit 4 while one server is not there" [ "$status" -eq 4 ]
expect "the other's build to arrive" [ "$(waiting "$spool")" -eq 1 ]
before=$(requests)
"$CI/resubmit" --spool "$spool" --url "$url" >/dev/null &
other=$!
resubmit --url "$url"
wait $other
expect "exit 0" [ "$status" -eq 0 ]
expect "one copy by two processes" [ "$(last_build)" = "$whole" ]
expect "five requests" [ "$(($(requests) - before))" -eq 5 ]
expect "builds in the order of their runs" [ "$(builds)" = "$(builds | sort)" ]
before=$(requests)
resubmit
expect "nothing to do" says "Nothing waits"
expect "no request" [ "$(requests)" -eq "$before" ]

# Bad input: the reason in one line, and the results are kept.
for bad in cdash.example.org ftp://127.0.0.1/submit.php?project=toy http://127.0.0.1/submit.php https://user:pw@127.0.0.1/submit.php?project=toy; do
  fresh
  CENSUS_CDASH_URL=$bad submit --require-submit
  expect "$bad: exit 4" [ "$status" -eq 4 ]
  expect "$bad: the reason" says "is unusable: expected http(s)://HOST/submit.php?project=NAME"
done
expect "four builds in the spool" [ "$(waiting "$spool")" -eq 4 ]
resubmit --url "$url"
expect "all four to arrive" [ "$status" -eq 0 ]

fresh
touch "$WORK/file"
spool=$WORK/file submit
expect "exit 0" [ "$status" -eq 0 ]
expect "the unusable spool by name" says "the spool $WORK/file cannot be used"
expect "the build to arrive all the same" [ "$(last_build)" = "$whole" ]
spool=$WORK/file resubmit
expect "exit 2" [ "$status" -eq 2 ]
expect "the spool by name" says "$WORK/file: not a directory"

# A spool that was tampered with is not sent.
fresh
echo 404 >"$inbox/mode"
submit
echo >>"$(echo "$spool"/2*/Test.xml)"
echo ok >"$inbox/mode"
resubmit
expect "exit 4" [ "$status" -eq 4 ]
expect "the file by name" says "Test.xml is not what was spooled"

unset CENSUS_CDASH_URL
submit
expect "exit 0 without a URL" [ "$status" -eq 0 ]
expect "a line about it" says "CENSUS_CDASH_URL is not set"
submit --require-submit
expect "exit 4" [ "$status" -eq 4 ]
