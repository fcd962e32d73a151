# Makes the tests of a program entries of CTest, named <room>.<suite>: a process for each suite, because a
# parameterised suite of hundreds of short cases costs a hundred times as much with a process for each. With
# EACH_CASE they are <room>.<suite>.<case>. CTest lists the tests when it runs (discover_tests.cmake), in the root
# of the tree. Tests of the program find it through the environment.
function(damrak_register_tests target room)
  cmake_parse_arguments(PARSE_ARGV 2 arg EACH_CASE "" "")
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/tests/${target}_include.cmake CONTENT "\
include([==[${PROJECT_SOURCE_DIR}/cmake/discover_tests.cmake]==])
damrak_discover_tests(
  [==[$<TARGET_FILE:${target}>]==]
  [==[${room}]==]
  [==[${arg_EACH_CASE}]==]
  [==[${PROJECT_BINARY_DIR}/tests/${target}_entries.cmake]==]
  [==[${PROJECT_SOURCE_DIR}]==]
  [==[DAMRAK_PROGRAM=${PROJECT_BINARY_DIR}/damrak]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${PROJECT_BINARY_DIR}/tests/${target}_include.cmake)
endfunction()
