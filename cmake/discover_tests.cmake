# Run by CTest for each test program: adds the entries for its tests (see test_registration.cmake). They are
# kept in the file `entries` until the program, its call or this file changes.
#
# A program that is missing, crashes when it lists its tests or lists none is an entry that fails. An entry with
# a skipped test and no failed one counts as skipped: GoogleTest names the failed ones after the skipped ones,
# so nothing may follow these.
#
# Tests wait as long as the patience of tests/support/eventually.hpp and fail; the limit of CTest is far beyond.
function(damrak_discover_tests program room each_case entries folder environment)
  if(NOT EXISTS ${program})
    add_test("${room}.NOT_BUILT" ${program})
    return()
  endif()
  if(EXISTS ${entries} AND ${entries} IS_NEWER_THAN ${program} AND ${entries} IS_NEWER_THAN ${CMAKE_CURRENT_LIST_FILE}
      AND ${entries} IS_NEWER_THAN ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
    include(${entries})
    return()
  endif()
  execute_process(COMMAND ${program} --gtest_list_tests WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE listing RESULT_VARIABLE result)
  string(REGEX REPLACE " *#[^\n]*" "" lines "${listing}")  # the values of parameters
  string(REPLACE "\n" ";" lines "${lines}")
  set(names)
  foreach(line IN LISTS lines)
    if(line MATCHES "^  (.+)")
      list(APPEND names "${suite}${CMAKE_MATCH_1}")
    elseif(line MATCHES "^[^ ]+[.]$")
      set(suite ${line})
    endif()
  endforeach()
  if(NOT result EQUAL 0 OR NOT names)
    add_test("${room}.NO_TESTS" sh -c
      [==["$0" --gtest_list_tests; echo "$0 must list tests; exit status $?" >&2; exit 1]==] ${program})
    return()
  endif()
  if(NOT each_case)
    list(TRANSFORM names REPLACE "[.].*" ".*")
    list(REMOVE_DUPLICATES names)
  endif()
  set(content)
  foreach(name IN LISTS names)
    string(REGEX REPLACE "[.][*]$" "" entry "${room}.${name}")
    string(APPEND content
      "add_test([==[${entry}]==] [==[${program}]==] [==[--gtest_filter=${name}]==] --gtest_also_run_disabled_tests)\n"
      "set_tests_properties([==[${entry}]==] PROPERTIES TIMEOUT 3600 WORKING_DIRECTORY [==[${folder}]==]\n"
      "  ENVIRONMENT [==[${environment}]==]\n"
      "  SKIP_REGULAR_EXPRESSION [==[\\[  SKIPPED \\] [^\n]*\n$]==])\n")
  endforeach()
  file(WRITE ${entries} "${content}")
  include(${entries})
endfunction()
