# SPDX-License-Identifier: MIT
# The verdict over hand-made records and ctest results: the first present of 2, 1, 3. In: CDASH, WORK.
cmake_minimum_required(VERSION 3.25)
include("${CDASH}/verdict.cmake")

# run(<variable>...): records as "<row> <kind>[ advisory]", tests as "<name> <status>[ <code>[ <value>]]".
function(start)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/census-results/gate/roster.txt" "kernel-census roster 1\nrun new\ncpu one\n")
  set_property(GLOBAL PROPERTY tests "")
endfunction()

function(record row kind)
  set(advisory false)
  if("advisory" IN_LIST ARGN)
    set(advisory true)
  endif()
  file(
    WRITE "${WORK}/census-results/gate/cpu.${row}.json"
    "{\"kind\": \"result\", \"run_id\": \"new\", \"verdicts\": [{\"row\": \"${row}\", \"backend\": \"cpu\", \"verdict\": {\"kind\": \"${kind}\", \"reason\": \"a < b; [c\"}, \"advisory\": ${advisory}}]}"
  )
endfunction()

# test_case(<name> <status> [<measurement> <value>]...)
function(test_case name status)
  set(text "\t<Test Status=\"${status}\">\n\t\t<Name>${name}</Name>\n\t\t<Results>\n")
  while(ARGN)
    list(POP_FRONT ARGN measurement value)
    string(APPEND text "\t\t\t<NamedMeasurement type=\"text/string\" name=\"${measurement}\">\n\t\t\t\t<Value>${value}</Value>\n\t\t\t</NamedMeasurement>\n")
  endwhile()
  set_property(GLOBAL APPEND_STRING PROPERTY tests "${text}\t\t</Results>\n\t</Test>\n")
endfunction()

function(expect what expected)
  get_property(tests GLOBAL PROPERTY tests)
  file(WRITE "${WORK}/Test.xml" "<Site>\n<Testing>\n<TestList>\n<Test>./perf.cpu.one</Test>\n</TestList>\n${tests}</Testing></Site>\n")
  census_verdict(code lines "${WORK}" "${WORK}/Test.xml" "${ARGN}")
  if(NOT code EQUAL expected)
    message(SEND_ERROR "${what}: expected ${expected}, not ${code}:\n${lines}")
  endif()
endfunction()

macro(failed name value)
  test_case("${name}" failed "Exit Code" Failed "Exit Value" "${value}")
endmacro()

start()
record(one pass)
test_case(perf.cpu.one passed)
expect("a passed row" 0)
expect("a run that was there before" 2 "gate=new")

start()
record(one regressed)
failed(perf.cpu.one 1)
expect("a regressed row" 1)
record(two invalid)
failed(perf.cpu.two 3)
expect("1 before 3" 1)
test_case(perf.cpu.three failed "Exit Code" Timeout "Exit Value" 0)
expect("2 before 1" 2)

start()
record(one incorrect)
test_case(perf.cpu.one passed)
expect("a red record of a row that ctest takes for passed" 1)

start()
record(one regressed advisory)
test_case(perf.cpu.one passed)
expect("an advisory row" 0)

start()
record(one environment)
failed(perf.cpu.one 3)
expect("a busy device" 3)

start()
record(one no_device)
record(two pass)
test_case(perf.cpu.one notrun "Completion Status" SKIP_RETURN_CODE=77)
test_case(perf.cpu.two passed)
expect("a skipped row beside a passed one" 0)
failed(census.report 3)
expect("a red report" 3)

start()
record(one error)
failed(perf.cpu.one 2)
expect("a row that threw" 2)

start()
record(one pass)
test_case(perf.cpu.one failed "Exit Code" SEGFAULT "Exit Value" 0)
expect("a crash after a pass" 2)

start()
record(one pass)
failed(perf.cpu.one 1)
expect("exit 1 that no record explains" 2)

start()
record(one pass)
test_case(perf.cpu.one notrun "Completion Status" "Unable to find executable")
expect("a row that could not start" 2)

start()
file(WRITE "${WORK}/census-results/gate/cpu.one.json" "{\"kind\": \"result\", ")
test_case(perf.cpu.one passed)
expect("a record that cannot be read" 2)

start()
test_case(perf.cpu.one passed)
expect("no record" 2)

start()
record(one pass)
file(REMOVE "${WORK}/Test.xml")
census_verdict(code lines "${WORK}" "${WORK}/Test.xml" "")
if(NOT code EQUAL 2)
  message(SEND_ERROR "no Test.xml: expected 2, not ${code}")
endif()
