# Fuzz targets. With DAMRAK_FUZZ they are libFuzzer programs; in every other build a small driver
# runs them on the seed corpus, so that each corpus is a test case of the ordinary suite.
file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*.cpp)
set(fuzz_targets)
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(fuzz_${name} ${source})
  list(APPEND fuzz_targets fuzz_${name})
  set_target_properties(fuzz_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  target_link_libraries(fuzz_${name} PRIVATE damrak_test_support)
  target_include_directories(fuzz_${name} PRIVATE fuzz)
  if(DAMRAK_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set(once -runs=0)
  else()
    target_sources(fuzz_${name} PRIVATE fuzz/support/replay_main.cpp)
    set(once)
  endif()
  add_test(NAME fuzz_corpus.${name}
    COMMAND fuzz_${name} ${once} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
endforeach()
