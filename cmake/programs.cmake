# The program and the benchmarks: what is shipped and measured, and alone has link-time optimisation.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(ncursesw REQUIRED IMPORTED_TARGET ncursesw)

file(GLOB_RECURSE app_sources CONFIGURE_DEPENDS apps/damrak/*.cpp)
add_executable(damrak_program ${app_sources})
set_target_properties(damrak_program PROPERTIES OUTPUT_NAME damrak)
target_include_directories(damrak_program PRIVATE apps/damrak)
target_link_libraries(damrak_program PRIVATE damrak CLI11::CLI11 nlohmann_json::nlohmann_json
  PkgConfig::tomlplusplus PkgConfig::ncursesw)
install(TARGETS damrak_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cpp)
if(bench_sources)
  find_package(benchmark REQUIRED)
  damrak_support_library(damrak_bench_support ${PROJECT_SOURCE_DIR}/bench
    benchmark::benchmark CLI11::CLI11 nlohmann_json::nlohmann_json)
endif()
# Not part of `all`: `make test` builds none but what a test runs.
add_custom_target(benchmarks)
foreach(source IN LISTS bench_sources)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
  add_dependencies(benchmarks bench_${name})
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_link_libraries(bench_${name} PRIVATE damrak_bench_support)
endforeach()

# QuickFIX beside our FIX. Its headers are of C++14, so that it is a library of its own.
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

# All that follows links the library's objects as ordinary ones: each test program would otherwise
# optimise the whole of it again. The objects carry both forms, so the library is compiled once.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(TRANSFORM damrak_built PREPEND damrak_ OUTPUT_VARIABLE libraries)
  foreach(library IN LISTS libraries ITEMS damrak_bench_support)
    target_compile_options(${library} PRIVATE -ffat-lto-objects)
  endforeach()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
  add_link_options(-fno-lto)
endif()
