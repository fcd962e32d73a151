# For the thread sanitizer in CI: the tests of what threads share (rings, sequencer and journal) as one program,
# with only the sources that they need. All of the library takes several times as long; `make nightly` runs every
# test with the thread sanitizer.
set(thread_sources)
foreach(room IN ITEMS auction base book domain engine files journal sequencer session/ouch wire/itch wire/ouch)
  file(GLOB_RECURSE of_room CONFIGURE_DEPENDS src/damrak/${room}/*.cpp)
  list(APPEND thread_sources ${of_room})
endforeach()
# What snapshots keep of the gateways.
file(GLOB of_snapshots CONFIGURE_DEPENDS
  src/damrak/fix_gateway/fix_order*.cpp src/damrak/gateway/client_order_names.cpp
  src/damrak/ouch_gateway/ouch_orders.cpp src/damrak/ouch_gateway/past_executions.cpp
  src/damrak/udp_gateway/udp_clients.cpp)
file(GLOB thread_tests CONFIGURE_DEPENDS tests/base/nap_test.cpp tests/base/runner_test.cpp
  tests/base/seqlock_test.cpp tests/base/spsc_ring*_test.cpp tests/journal/threads_test.cpp
  tests/sequencer/full_disk_test.cpp tests/sequencer/pipeline*_test.cpp tests/sequencer/sequencer_test.cpp
  tests/sequencer/shards_test.cpp tests/support/command_stream*.cpp tests/support/describe.cpp
  tests/support/faulty_files.cpp tests/support/*_profiles.cpp tests/support/differential/engine_subject.cpp
  tests/support/reference/*.cpp)
add_executable(test_threads ${thread_sources} ${of_snapshots} ${thread_tests})
set_target_properties(test_threads PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_compile_features(test_threads PRIVATE cxx_std_23)
target_include_directories(test_threads PRIVATE src tests)
target_link_libraries(test_threads PRIVATE Boost::headers fmt::fmt ZLIB::ZLIB PkgConfig::zstd Threads::Threads
  GTest::gmock GTest::gtest_main)
damrak_unity(test_threads ${PROJECT_SOURCE_DIR}/tests/support 8 reference)
damrak_register_tests(test_threads threads)
