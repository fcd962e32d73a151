# For the thread sanitizer in CI: the tests of what threads share (rings, sequencer and journal) as one program,
# with only the sources that they need. All of the library takes several times as long; `make nightly` runs every
# test with the thread sanitizer.
set(thread_sources)
foreach(room IN ITEMS auction base book domain engine files journal sequencer session/ouch wire/itch wire/ouch)
  file(GLOB_RECURSE of_room CONFIGURE_DEPENDS src/*/damrak/${room}/*.cpp)
  list(APPEND thread_sources ${of_room})
endforeach()
include(cmake/gateway_states.cmake)
file(GLOB thread_tests CONFIGURE_DEPENDS tests/engine/base/nap_test.cpp tests/engine/base/runner_test.cpp
  tests/engine/base/seqlock_test.cpp tests/engine/base/spsc_ring*_test.cpp tests/sessions/journal/threads_test.cpp
  tests/ordering/sequencer/full_disk_test.cpp tests/ordering/sequencer/pipeline*_test.cpp
  tests/ordering/sequencer/sequencer_test.cpp
  tests/ordering/sequencer/shards_test.cpp tests/support/command_stream*.cpp tests/support/describe.cpp
  tests/support/faulty_files.cpp tests/support/*_profiles.cpp tests/support/differential/engine_subject.cpp
  tests/support/reference/*.cpp)
add_executable(test_threads ${thread_sources} ${states_of_gateways}
  src/gateways/damrak/gateway/client_order_names.cpp ${thread_tests})
set_target_properties(test_threads PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_compile_features(test_threads PRIVATE cxx_std_23)
target_include_directories(test_threads PRIVATE ${component_roots} tests)
target_link_libraries(test_threads PRIVATE Boost::headers fmt::fmt ZLIB::ZLIB PkgConfig::zstd Threads::Threads
  GTest::gmock GTest::gtest_main)
damrak_unity(test_threads ${PROJECT_SOURCE_DIR}/tests/support 8 reference)
damrak_register_tests(test_threads threads)
