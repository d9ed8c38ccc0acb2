# SPDX-License-Identifier: MIT
# Nothing that a row prints damages its measurements in Test.xml: a row whose reason, notices and file names are made of what
# ctest's parser and XML trip over. In: GATE, a gate whose measurements are scripted.
include("${CMAKE_CURRENT_LIST_DIR}/case.cmake")

string(ASCII 27 escape)
string(ASCII 233 latin) # no UTF-8
set(text "</CTestMeasurement> <CTestMeasurement type='numeric/double' name='us'>1</CTestMeasurement> <CTestDetails>x</CTestDetails> &amp; & ]]> ${escape}[31m \"quoted ${latin}")
string(REPLACE " " "_" words "${text}")

file(REMOVE_RECURSE "${BUILD}")
file(MAKE_DIRECTORY "${BUILD}/base <lines> & more")
file(WRITE "${BUILD}/script" "fake.one * us=12.5 finding=${words}\nfake.two * status=error reason=${words}\n")
file(
  WRITE "${BUILD}/CTestTestfile.cmake"
  "foreach(row fake.one fake.two)
  add_test(\${row} [==[${GATE}]==] gate --row \${row} --pause 0 --strict --results [==[${BUILD}/results]==] --baselines [==[${BUILD}/base <lines> & more]==])
endforeach()
set_tests_properties(fake.one fake.two PROPERTIES ENVIRONMENT [==[FAKE_SCRIPT=${BUILD}/script]==] ATTACHED_FILES [==[${BUILD}/results/cuda.fake.one.json]==])
")
file(
  WRITE "${BUILD}/run.cmake"
  "set(CTEST_SOURCE_DIRECTORY [==[${BUILD}]==])
set(CTEST_BINARY_DIRECTORY [==[${BUILD}]==])
set(CTEST_SITE here)
set(CTEST_BUILD_NAME hostile)
ctest_start(Experimental)
ctest_test(RETURN_VALUE status)
")
execute_process(COMMAND "${CTEST}" --no-compress-output -S "${BUILD}/run.cmake" -V OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
expect("no complaint of ctest's about XML" NOT output MATCHES "Error parsing XML")

file(GLOB xml "${BUILD}/Testing/2*/Test.xml")
file(READ "${xml}" test_xml)
string(REGEX REPLACE "[\t\r\n]" "" test_xml "${test_xml}")
string(REGEX MATCHALL "name=\"us\"><Value>[^<]*<" times "${test_xml}")
expect("one time, the measured one, not \"${times}\"" times STREQUAL "name=\"us\"><Value>12.5000<")
string(REGEX MATCHALL "name=\"verdict\"><Value>[^<]*<" verdicts "${test_xml}")
list(LENGTH verdicts count)
expect("a verdict for each row" count EQUAL 2)
foreach(verdict IN LISTS verdicts)
  expect("a plain word as the verdict, not ${verdict}" verdict MATCHES "<Value>[a-z_]+<")
endforeach()
expect("the reason itself in the output" test_xml MATCHES "quoted")
expect("nothing that ctest had to replace" NOT test_xml MATCHES "NON-(XML|UTF-8)")
