# SPDX-License-Identifier: MIT
# ci/dashboard.cmake builds a consumer, runs its rows, and their numbers reach a CDash server. In: DASHBOARD, STUB, SOURCE, PREFIX.
include("${CMAKE_CURRENT_LIST_DIR}/case.cmake")

set(inbox "${BUILD}-inbox")
file(REMOVE_RECURSE "${inbox}" "${BUILD}")
file(MAKE_DIRECTORY "${inbox}")
file(WRITE "${inbox}/run.sh" [=[
"$1" "$2" & stub=$!
trap 'kill $stub 2>/dev/null' EXIT
until [ -s "$2/port" ]; do kill -0 $stub || exit 1; sleep 0.05; done
CENSUS_CDASH_TOKEN=toy-token CENSUS_CDASH_URL="http://127.0.0.1:$(cat "$2/port")/submit.php?project=toy"
export CENSUS_CDASH_TOKEN CENSUS_CDASH_URL
shift 2
"$@"
]=])
execute_process(
  COMMAND
    sh "${inbox}/run.sh" "${STUB}" "${inbox}" "${CTEST}" -S "${DASHBOARD}" -V "-DCTEST_SOURCE_DIRECTORY=${SOURCE}"
    "-DCTEST_BINARY_DIRECTORY=${BUILD}" "-DCENSUS_CONFIGURE_OPTIONS=-DCMAKE_PREFIX_PATH=${PREFIX};-DTOY_BLIND=OFF"
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
  RESULT_VARIABLE status)
expect("a green dashboard run" status EQUAL 0)
expect("the build id that the server gave" output MATCHES "CDash build 42")
expect("no token in what it prints" NOT output MATCHES "toy-token")

file(GLOB heads "${inbox}/*.head")
set(test_xml "")
foreach(head IN LISTS heads)
  file(READ "${head}" text)
  expect("the token in every request" text MATCHES "Authorization: Bearer toy-token")
  if(text MATCHES "Test.xml")
    string(REGEX REPLACE "head$" "body" body "${head}")
    file(READ "${body}" test_xml)
  endif()
endforeach()
foreach(name us TB/s verdict)
  expect("the measurement ${name}" test_xml MATCHES "<NamedMeasurement type=\"[a-z/]+\" name=\"${name}\">")
endforeach()
expect("no token in the results" NOT test_xml MATCHES "toy-token")
