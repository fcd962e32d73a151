# The ready-made venues as arrays of bytes, for src/ordering/damrak/venue/ready_made.cpp.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
set(venue_folder ${PROJECT_BINARY_DIR}/venues)
file(MAKE_DIRECTORY ${venue_folder})
set(venue_files)
foreach(name IN ITEMS continuous nasdaq-like xetra-like lse-like tokyo-like
    hong-kong-like cme-like iex-like frequent-batch crypto-like)
  set(from ${root}/examples/venues/${name}.toml)
  set(to ${venue_folder}/${name}.toml.inc)
  add_custom_command(OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${to} -P ${root}/cmake/embed.cmake
    DEPENDS ${from} ${root}/cmake/embed.cmake VERBATIM)
  list(APPEND venue_files ${to})
endforeach()
set_source_files_properties(${root}/src/ordering/damrak/venue/ready_made.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${venue_folder} OBJECT_DEPENDS "${venue_files}" SKIP_UNITY_BUILD_INCLUSION ON)
