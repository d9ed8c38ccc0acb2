# SPDX-License-Identifier: MIT
# The notes of a build: which device, driver and clocks, which commit, and which baseline the rows were judged against.

include_guard(GLOBAL)

function(_census_said variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    list(GET ARGN 0 command)
    set(output "unknown: ${command}: ${status}")
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

# census_notes_text(<variable> <source directory> <records>): the notes as a person reads them.
function(census_notes_text variable source records)
  _census_said(gpus nvidia-smi
    --query-gpu=index,name,uuid,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.limit,power.default_limit,ecc.mode.current,mig.mode.current
    --format=csv)
  _census_said(commit git -C "${source}" rev-parse HEAD)
  _census_said(changes git -C "${source}" status --porcelain --untracked-files=no)
  if(NOT changes STREQUAL "")
    string(APPEND commit ", with uncommitted changes")
  endif()
  set(baselines "")
  set(devices "")
  set(settings "")
  foreach(record IN LISTS records)
    file(READ "${record}" text)
    string(JSON baseline ERROR_VARIABLE none GET "${text}" verdicts 0 baseline_file)
    if(NOT none AND baseline)
      list(APPEND baselines "${baseline}")
    endif()
    string(JSON device ERROR_VARIABLE none GET "${text}" runs 0 device name)
    if(NOT none AND device)
      list(APPEND devices "${device}")
    endif()
    string(JSON setting ERROR_VARIABLE none GET "${text}" settings)
    if(NOT none AND NOT setting STREQUAL "[]")
      list(APPEND settings "${setting}")
    endif()
  endforeach()
  foreach(list baselines devices settings)
    list(REMOVE_DUPLICATES ${list})
    list(JOIN ${list} "\n  " ${list})
    if(${list} STREQUAL "")
      set(${list} "none")
    endif()
  endforeach()
  set(${variable}
      "commit\n  ${commit}\ndevices that rows ran on\n  ${devices}\nbaseline files\n  ${baselines}\nsettings\n  ${settings}\nGPUs, driver and clocks\n  ${gpus}\n"
      PARENT_SCOPE)
endfunction()

# census_xml(<variable> <text>): the text as XML character data or attribute.
function(census_xml variable text)
  string(REPLACE "&" "&amp;" text "${text}")
  string(REPLACE "<" "&lt;" text "${text}")
  string(REPLACE ">" "&gt;" text "${text}")
  string(REPLACE "\"" "&quot;" text "${text}")
  # ASCII alone: no byte that XML, or the encoding it declares, forbids.
  string(REGEX REPLACE "[^\t\n -~]" "?" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# census_write_notes(<file> <site> <build> <stamp> <text>): the part that ctest would write for a notes file.
function(census_write_notes file site build stamp text)
  foreach(name site build stamp text)
    census_xml(${name} "${${name}}")
  endforeach()
  string(TIMESTAMP seconds "%s" UTC)
  string(TIMESTAMP date "%b %d %H:%M UTC" UTC)
  file(
    WRITE "${file}"
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<Site BuildName=\"${build}\" BuildStamp=\"${stamp}\" Name=\"${site}\" Generator=\"ctest-${CMAKE_VERSION}\">
	<Notes>
		<Note Name=\"measured on\">
			<Time>${seconds}</Time>
			<DateTime>${date}</DateTime>
			<Text>${text}</Text>
		</Note>
	</Notes>
</Site>
")
endfunction()
