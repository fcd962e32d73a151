# One test program per folder of tests/. CTest runs its suites, each in a process.
find_package(rapidcheck REQUIRED)
include(cmake/test_registration.cmake)

# The presets do not optimise the test cases themselves: that would take most of their build time
# and gain nothing, as the tested code is in the libraries.
set(DAMRAK_TEST_OPTIONS "" CACHE STRING "compile options of the test cases, not of what they test")

# Each case in a process of its own: tests of the program, of all that a process allocates, and of interfaces that
# a process makes.
set(rooms_of_processes memory net system)
# Programs of the short sanitizer run: the tests of rooms that process foreign bytes or manage their
# own memory. Building all others with sanitizers takes several times as long.
set(sanitized_rooms archive book client convert feed files fix_codec gateway http journal
  lobster market_data_api market_stream modify net order_flow replay session tables venue
  wire)
add_custom_target(sanitized_tests)
add_dependencies(sanitized_tests ${fuzz_targets})

set(component_roots ${damrak_components})
list(TRANSFORM component_roots PREPEND ${PROJECT_SOURCE_DIR}/src/)

# Common includes, parsed once.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
add_library(test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
target_link_libraries(test_headers PRIVATE damrak GTest::gmock)
target_compile_options(test_headers PRIVATE ${DAMRAK_TEST_OPTIONS})
target_precompile_headers(test_headers PRIVATE <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h>
  <algorithm> <array> <cstdint> <filesystem> <map> <memory> <optional> <span> <string> <string_view> <vector>)

file(GLOB test_dirs CONFIGURE_DEPENDS LIST_DIRECTORIES true tests/*)
list(FILTER test_dirs EXCLUDE REGEX "/(support|programs|mutants|peers|preload|consumers)$")
foreach(component IN LISTS damrak_components)
  list(REMOVE_ITEM test_dirs ${PROJECT_SOURCE_DIR}/tests/${component})
  file(GLOB of_component CONFIGURE_DEPENDS LIST_DIRECTORIES true tests/${component}/*)
  list(APPEND test_dirs ${of_component})
endforeach()
foreach(dir IN LISTS test_dirs)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  if(NOT sources)
    continue()
  endif()
  cmake_path(GET dir FILENAME name)
  cmake_path(GET dir PARENT_PATH parent)
  add_executable(test_${name} ${sources})
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE damrak_test_support
    GTest::gmock GTest::gtest_main rapidcheck nlohmann_json::nlohmann_json)
  target_compile_options(test_${name} PRIVATE ${DAMRAK_TEST_OPTIONS})
  target_precompile_headers(test_${name} REUSE_FROM test_headers)
  # Every file has a namespace of its own.
  damrak_unity(test_${name} ${parent} 25 ${name})
  if(name STREQUAL "lab")
    target_link_libraries(test_lab PRIVATE damrak_techniques)
  elseif(name STREQUAL "simulation")
    target_link_libraries(test_simulation PRIVATE damrak_simulated_worlds)
  elseif(name STREQUAL "system")
    add_dependencies(test_system damrak_program damrak_lab_program)
  elseif(name IN_LIST sanitized_rooms)
    add_dependencies(sanitized_tests test_${name})
  endif()
  set(each_case)
  if(name IN_LIST rooms_of_processes)
    set(each_case EACH_CASE)
  endif()
  damrak_register_tests(test_${name} ${name} ${each_case})
endforeach()

if(CMAKE_CXX_FLAGS MATCHES "sanitize=thread")
  include(cmake/thread_tests.cmake)
endif()

# Preloaded into programs to replace system calls; a sanitizer must be loaded first itself.
if(NOT CMAKE_CXX_FLAGS MATCHES "sanitize")
  foreach(name IN ITEMS failing_sync moved_clock replaced_send)
    add_library(test_${name} MODULE tests/preload/${name}.cpp)
    set_target_properties(test_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_dependencies(test_system test_${name})
  endforeach()
  add_dependencies(test_system bench_fix_encode)
endif()

# A third-party client and exchange, whose headers are C++14; without it their tests are skipped.
pkg_check_modules(quickfix IMPORTED_TARGET quickfix)
if(quickfix_FOUND)
  foreach(peer quickfix_trader quickfix_exchange)
    add_executable(${peer} tests/peers/${peer}.cpp)
    set_target_properties(${peer} PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON
      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    # Its warnings are not ours to fix.
    target_compile_options(${peer} PRIVATE -w)
    target_link_libraries(${peer} PRIVATE PkgConfig::quickfix Threads::Threads)
    add_dependencies(test_system ${peer})
  endforeach()
else()
  message(STATUS "QuickFIX not found: its client and its exchange are not tested against (libquickfix-dev)")
endif()

# Leaves a program of ours behind on an interface.
if(damrak_has_xdp)
  target_link_libraries(test_net PRIVATE PkgConfig::libxdp)
  target_compile_definitions(test_net PRIVATE DAMRAK_HAS_LIBBPF)
endif()

# As built without the libraries for AF_XDP: what stands in for them, which the linker takes before the library's.
target_sources(test_without_xdp PRIVATE src/sessions/damrak/net/detail/xdp_absent.cpp)

# The measuring code of the benchmarks is tested like the rest.
target_link_libraries(test_bench PRIVATE damrak_bench_support)

# Tests of any duration: separate programs, not run by CTest. Built on request, like benchmarks.
file(GLOB test_program_sources CONFIGURE_DEPENDS tests/programs/*.cpp)
foreach(source IN LISTS test_program_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  add_dependencies(benchmarks ${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE damrak_simulated_worlds
    CLI11::CLI11 nlohmann_json::nlohmann_json)
endforeach()

# Each public header compiles alone. One with a source of its own is the first thing that this includes, as
# the format has it; of each other CMake makes a translation unit, for `make lint`.
foreach(header IN LISTS damrak_headers)
  cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE own_source)
  if(NOT own_source IN_LIST damrak_sources)
    list(APPEND lone_headers ${header})
  endif()
endforeach()
target_sources(damrak INTERFACE FILE_SET lone_headers TYPE HEADERS
  BASE_DIRS ${component_roots} FILES ${lone_headers})
set_target_properties(damrak PROPERTIES
  VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY lone_headers)
add_custom_target(header_self_contained)
add_dependencies(header_self_contained damrak_verify_interface_header_sets)

# The convention check, and the tests of the tools themselves.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME tools.convention_check
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/tidy.py)
add_test(NAME tools.mutants_fit
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/mutants --list)
add_test(NAME tools.guides_fit
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/try_guide --no-run
    docs/how-to/add-a-command.md docs/how-to/add-a-feed.md docs/how-to/add-a-gateway.md
    docs/how-to/add-a-panel.md docs/how-to/add-a-check.md docs/how-to/add-an-allocation-rule.md
    docs/how-to/add-an-auction-price-rule.md docs/how-to/write-a-participant.md
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME tools.links
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/check_links.py)
add_test(NAME tools.components_page
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/components_page.py --check)
add_test(NAME tools.umbrella_headers
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/umbrella_headers.py --check)
add_test(NAME tools.include_roots
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/check_include_roots.py ${PROJECT_BINARY_DIR})
add_test(NAME tools.api_pages
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/api_pages.py --check)
set_tests_properties(tools.api_pages PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME tools.web_bundle
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/check_web_bundle.py)
set_tests_properties(tools.web_bundle PROPERTIES SKIP_RETURN_CODE 77)
foreach(kind IN ITEMS unit browser)
  add_test(NAME page.${kind} COMMAND ${PROJECT_SOURCE_DIR}/tests/web/run ${kind})
  set_tests_properties(page.${kind} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600
    ENVIRONMENT DAMRAK_PROGRAM=${PROJECT_BINARY_DIR}/damrak)
endforeach()
add_test(NAME tools.unit_tests
  COMMAND Python3::Interpreter -B -m unittest discover -s ${PROJECT_SOURCE_DIR}/tools/tests)
set_tests_properties(tools.unit_tests PROPERTIES
  ENVIRONMENT DAMRAK_PROGRAM=${PROJECT_BINARY_DIR}/damrak)

# Projects that use the library, installed and from the source folder.
add_test(NAME library.consumers
  COMMAND ${PROJECT_SOURCE_DIR}/tests/consumers/check.sh ${PROJECT_BINARY_DIR}
    ${CMAKE_CXX_COMPILER} "${CMAKE_CXX_FLAGS}" ${CCACHE_PROGRAM})
set_tests_properties(library.consumers PROPERTIES TIMEOUT 3600)
