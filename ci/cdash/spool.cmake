# SPDX-License-Identifier: MIT
# The spool: builds on disk that CDash has not acknowledged as a whole.
#
#   <spool>/<id>/         one build. Ids sort by time. What begins with '.' is not complete and is never sent.
#     *.xml               its parts, as ctest wrote them
#     build.txt           one "name=value" a line: site, build, stamp, url, and for each part part=<md5> <file>
#     started             there while a send is under way or ended in doubt: the server may have some of the parts
#   <spool>/sent/<id>/    acknowledged builds, the last few

include_guard(GLOBAL)

# Enough to look up what was sent; a spool is no archive.
set(census_kept_builds 10)
# In the order of ctest_submit().
set(census_part_order Update Configure Build Test Notes Upload)

# census_field(<variable> <file> <name>): the value in a file of "name=value" lines, "" where it has none.
function(census_field variable file name)
  file(READ "${file}" text)
  set(value "")
  if("\n${text}" MATCHES "\n${name}=([^\n]*)")
    set(value "${CMAKE_MATCH_1}")
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# census_spool_add(<id-variable> <spool> <directory with the parts and build.txt> <url>): keeps a build, in place of one that CDash
# would take for the same. The id is "" when the spool cannot be written. The caller holds the spool's lock.
function(census_spool_add variable spool directory url)
  set(${variable} "" PARENT_SCOPE)
  # Asked for by a command, because file() would end the script at a spool that cannot be written.
  string(TIMESTAMP id "%Y%m%dT%H%M%S.%fZ" UTC)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${spool}/.${id}" RESULT_VARIABLE status ERROR_QUIET OUTPUT_QUIET)
  if(NOT status EQUAL 0)
    return()
  endif()
  file(READ "${directory}/build.txt" text)
  string(APPEND text "url=${url}\n")
  foreach(part IN LISTS census_part_order)
    if(EXISTS "${directory}/${part}.xml")
      execute_process(COMMAND "${CMAKE_COMMAND}" -E copy "${directory}/${part}.xml" "${spool}/.${id}" RESULT_VARIABLE status ERROR_QUIET)
      if(NOT status EQUAL 0) # no space left, say
        file(REMOVE_RECURSE "${spool}/.${id}")
        return()
      endif()
      file(MD5 "${directory}/${part}.xml" md5)
      string(APPEND text "part=${md5} ${part}.xml\n")
    endif()
  endforeach()
  file(WRITE "${spool}/.${id}/build.txt" "${text}")
  _census_same_build(same "${spool}" "${directory}")
  foreach(other IN LISTS same)
    if(EXISTS "${spool}/${other}/started")
      file(TOUCH "${spool}/.${id}/started")
    endif()
  endforeach()
  file(RENAME "${spool}/.${id}" "${spool}/${id}")
  foreach(other IN LISTS same)
    file(REMOVE_RECURSE "${spool}/${other}")
  endforeach()
  set(${variable} "${id}" PARENT_SCOPE)
endfunction()

# census_spool_waiting(<variable> <spool>): ids of the builds that were not acknowledged, oldest first.
function(census_spool_waiting variable spool)
  file(GLOB entries RELATIVE "${spool}" "${spool}/[0-9]*/build.txt")
  list(TRANSFORM entries REPLACE "/build.txt$" "")
  list(SORT entries)
  set(${variable} "${entries}" PARENT_SCOPE)
endfunction()

# Ids of waiting builds with the site, name and stamp of the one in the directory.
function(_census_same_build variable spool directory)
  set(same "")
  census_spool_waiting(waiting "${spool}")
  foreach(id IN LISTS waiting)
    set(differs OFF)
    foreach(name site build stamp)
      census_field(one "${spool}/${id}/build.txt" ${name})
      census_field(other "${directory}/build.txt" ${name})
      if(NOT one STREQUAL other)
        set(differs ON)
      endif()
    endforeach()
    if(NOT differs)
      list(APPEND same "${id}")
    endif()
  endforeach()
  set(${variable} "${same}" PARENT_SCOPE)
endfunction()

# census_spool_done(<spool> <id>): files the build under sent/. One rename: whoever looks sees it here or there.
function(census_spool_done spool id)
  file(MAKE_DIRECTORY "${spool}/sent")
  file(REMOVE "${spool}/${id}/started")
  file(RENAME "${spool}/${id}" "${spool}/sent/${id}")
  file(GLOB sent "${spool}/sent/*")
  list(SORT sent)
  list(LENGTH sent count)
  while(count GREATER census_kept_builds)
    list(POP_FRONT sent oldest)
    file(REMOVE_RECURSE "${oldest}")
    list(LENGTH sent count)
  endwhile()
endfunction()
