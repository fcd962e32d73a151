# Settings shared by every target of a development build: standard, warnings, compiler cache, output
# folders.
option(DAMRAK_FUZZ "build the fuzz targets with libFuzzer, and only them" OFF)

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
if(NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
  set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The base directory lets checkouts in different folders share what they compiled. What a file depends on
  # is taken from the compiler, not from preprocessing it first, which made an eighth of a first build.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()

add_compile_options(
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wcast-qual -Wformat=2 -Wextra-semi
  -Wimplicit-fallthrough -Wunused)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wduplicated-cond -Wduplicated-branches -Wlogical-op)
  # GCC 12 reports overlapping copies in plain std::string concatenation at -O3 (GCC bug 105651).
  add_compile_options(-Wno-restrict)
else()
  # std::stable_sort of libstdc++ 12 uses a function that C++17 deprecated.
  add_compile_options(-Wno-deprecated-declarations)
endif()

# Some seventy programs are linked, each with most of the library.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=mold DAMRAK_HAS_MOLD)
if(DAMRAK_HAS_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

include(cmake/unity.cmake)
