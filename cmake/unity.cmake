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
