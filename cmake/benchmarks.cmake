# The benchmarks, in build/<preset>/bench.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cpp)
if(bench_sources)
  find_package(benchmark REQUIRED)
  damrak_support_library(damrak_bench_support ${PROJECT_SOURCE_DIR}/bench
    damrak benchmark::benchmark CLI11::CLI11 nlohmann_json::nlohmann_json)
endif()
# Not part of `all`: `make test` builds only what a test runs.
add_custom_target(benchmarks)
foreach(source IN LISTS bench_sources)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
  add_dependencies(benchmarks bench_${name})
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_link_libraries(bench_${name} PRIVATE damrak_bench_support)
endforeach()

# QuickFIX for comparison with our FIX. A separate library, as its headers are C++14.
pkg_check_modules(quickfix IMPORTED_TARGET quickfix)
if(quickfix_FOUND)
  add_library(damrak_bench_quickfix STATIC EXCLUDE_FROM_ALL
    bench/quickfix/quickfix_decode.cpp bench/quickfix/quickfix_row.cpp)
  set_target_properties(damrak_bench_quickfix PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON)
  target_include_directories(damrak_bench_quickfix SYSTEM PRIVATE ${quickfix_INCLUDE_DIRS})
  target_link_libraries(damrak_bench_quickfix PUBLIC PkgConfig::quickfix)
  foreach(name IN ITEMS fix_decode fix_encode)
    target_link_libraries(bench_${name} PRIVATE damrak_bench_quickfix)
    target_compile_definitions(bench_${name} PRIVATE DAMRAK_HAS_QUICKFIX)
  endforeach()
else()
  message(STATUS "QuickFIX not found: the benchmarks of FIX go without it (libquickfix-dev)")
endif()
