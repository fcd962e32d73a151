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

# Several sources of a folder are compiled as one, so that their includes are parsed once: two
# thirds of the time of a first build. A build without it, such as the sanitizers', detects missing
# includes.
option(DAMRAK_UNITY "compile several sources of a folder as one" ON)

# These use names that mean something else in neighbouring files; test_without_xdp takes the place of net/detail/xdp_….
string(JOIN "|" DAMRAK_APART
  net/detail/xdp_
  client/packet_load damrak/journal/detail/syncer damrak/net/tcp\\. damrak/net/xdp_path
  "damrak/(journal/snapshot|plot/(curves|depth_map|intervals|percentiles|stacked_bars|svg)\\.)"
  support/udp_exchange)

# Compiles up to `batch` sources of `target` in each of the folders `base`/${ARGN} together; "a|b" stands for two folders
# as one.
function(damrak_unity target base batch)
  if(NOT DAMRAK_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It reports every class with a member from an unnamed namespace outside the main file.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  get_target_property(of_target ${target} SOURCES)
  foreach(folder IN LISTS ARGN)
    set(sources ${of_target})
    list(FILTER sources INCLUDE REGEX "^${base}/(${folder})/.*\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "${DAMRAK_APART}")
    string(MAKE_C_IDENTIFIER ${folder} name)
    set(count 0)
    foreach(source IN LISTS sources)
      math(EXPR group "${count} / ${batch}")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name}_${group})
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
endfunction()
