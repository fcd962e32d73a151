# Programs, tests, benchmarks, fuzz targets and examples. A file put in the right folder is a target:
#   apps/damrak/**.cpp   the program          build/<preset>/damrak
#   tests/<component>/<room>/**.cpp, tests/<dir>/**.cpp   one test program   build/<preset>/tests/test_<room or dir>
#   tests/programs/<name>.cpp  a long test  build/<preset>/tests/<name>
#   bench/<name>.cpp     one benchmark        build/<preset>/bench/<name>
#   fuzz/<component>/<name>.cpp      one fuzz target      build/fuzz/fuzz/fuzz_<name>, and part of build/<preset>/fuzz/fuzz_corpora
#   examples/<name>.cpp, examples/<name>/main.cpp and what is beside it   build/<preset>/examples/<name>
# <dir>/support/ of tests and bench is a library for the others of that folder.
enable_testing()
# A library from a folder's sources; if there are none, only its include path. It needs the libraries ${ARGN}.
function(damrak_support_library name include_dir)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${include_dir}/support/*.cpp)
  list(FILTER sources EXCLUDE REGEX /support/simulation/)
  if(sources)
    add_library(${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${include_dir})
  target_link_libraries(${name} ${scope} ${ARGN})
endfunction()

if(NOT DAMRAK_FUZZ)
  include(cmake/programs.cmake)
  if(DAMRAK_PROGRAM_ONLY)
    return()
  endif()
  include(cmake/benchmarks.cmake)
endif()

# Without the lab, and without the simulated worlds, which only their own tests use: the sanitizer run builds neither.
find_package(GTest REQUIRED)
damrak_support_library(damrak_test_support ${PROJECT_SOURCE_DIR}/tests damrak_exchange damrak_markets GTest::gmock)
if(NOT DAMRAK_FUZZ)  # a fuzz target links only the sources that it needs
  damrak_unity(damrak_test_support ${PROJECT_SOURCE_DIR}/tests 22 support)
endif()
file(GLOB simulation_sources CONFIGURE_DEPENDS tests/support/simulation/*.cpp)
add_library(damrak_simulated_worlds STATIC EXCLUDE_FROM_ALL ${simulation_sources})
target_link_libraries(damrak_simulated_worlds PUBLIC damrak_test_support)
damrak_unity(damrak_simulated_worlds ${PROJECT_SOURCE_DIR}/tests/support 8 simulation)
# Whole exchanges: -O3 makes twice the code in twice the time.
foreach(name IN ITEMS damrak_test_support damrak_simulated_worlds)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()
include(cmake/fuzz.cmake)
if(DAMRAK_FUZZ)
  return()
endif()

file(GLOB example_sources CONFIGURE_DEPENDS examples/*.cpp examples/*/main.cpp)
foreach(source IN LISTS example_sources)
  cmake_path(GET source STEM name)
  if(name STREQUAL "main")  # in a folder
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME name)
    file(GLOB source CONFIGURE_DEPENDS ${folder}/*.cpp)
  endif()
  add_executable(example_${name} ${source})
  set_target_properties(example_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  target_link_libraries(example_${name} PRIVATE damrak)
  if(NOT name MATCHES "^fix_|^enter_orders$|^ouch_client$|^udp_orders$|^follow_itch_over_tcp$|^follow_the_feed$|^book_at$|^day_tables$|^queue_value$|^own_engine$")
    add_test(NAME example.${name} COMMAND example_${name}
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  endif()
endforeach()
# These two need each other; the others need an exchange.
add_test(NAME example.fix_client_and_acceptor
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_fix_pair.sh ${PROJECT_BINARY_DIR}/examples)
add_test(NAME example.enter_orders
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_exchange.sh
    $<TARGET_FILE:damrak_program> binary $<TARGET_FILE:example_enter_orders>)
add_test(NAME example.ouch_client
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_exchange.sh
    $<TARGET_FILE:damrak_program> ouch $<TARGET_FILE:example_ouch_client>)
add_test(NAME example.udp_orders
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_exchange.sh
    $<TARGET_FILE:damrak_program> udp $<TARGET_FILE:example_udp_orders>)

add_test(NAME example.own_engine
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_own_engine.sh $<TARGET_FILE:example_own_engine>)

# These follow a market.
add_test(NAME example.follow_itch_over_tcp
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_market.sh
    $<TARGET_FILE:damrak_program> $<TARGET_FILE:example_follow_itch_over_tcp> itch)
add_test(NAME example.follow_the_feed
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_market.sh
    $<TARGET_FILE:damrak_program> $<TARGET_FILE:example_follow_the_feed> mold retransmit glimpse)

# These read a recorded day.
add_test(NAME example.book_at
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_day.sh
    $<TARGET_FILE:damrak_program> $<TARGET_FILE:example_book_at> SIM1 10:00:00)
add_test(NAME example.day_tables
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_day.sh
    $<TARGET_FILE:damrak_program> $<TARGET_FILE:example_day_tables>)
add_test(NAME example.queue_value
  COMMAND ${PROJECT_SOURCE_DIR}/examples/run_with_day.sh
    $<TARGET_FILE:damrak_program> $<TARGET_FILE:example_queue_value> SIM1)

# A third-party client, in C++14 like its headers; skipped if missing.
if(quickfix_FOUND)
  add_executable(example_quickfix_client examples/quickfix/quickfix_client.cpp)
  set_target_properties(example_quickfix_client PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON
    OUTPUT_NAME quickfix_client RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  # Suppresses the warnings of QuickFIX's headers.
  target_compile_options(example_quickfix_client PRIVATE -w)
  target_link_libraries(example_quickfix_client PRIVATE PkgConfig::quickfix Threads::Threads)
  add_test(NAME example.quickfix_client
    COMMAND ${PROJECT_SOURCE_DIR}/examples/run_quickfix_client.sh
      $<TARGET_FILE:damrak_program> $<TARGET_FILE:example_quickfix_client>
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()

include(cmake/tests.cmake)
