# The files of the live page as arrays of bytes, for src/market_data/damrak/page/assets.cpp. They are built from web/ by its
# developers and committed (tools/check_web_bundle), so that a build of Damrak needs no Node.
set(page_folder ${PROJECT_BINARY_DIR}/page)
file(MAKE_DIRECTORY ${page_folder})
set(page_files)
foreach(name IN ITEMS index.html page.js page.css)
  set(from ${CMAKE_CURRENT_SOURCE_DIR}/web/dist/${name})
  add_custom_command(OUTPUT ${page_folder}/${name}.inc
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${page_folder}/${name}.inc
      -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${from} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  list(APPEND page_files ${page_folder}/${name}.inc)
endforeach()
set_source_files_properties(src/market_data/damrak/page/assets.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${page_folder} OBJECT_DEPENDS "${page_files}" SKIP_UNITY_BUILD_INCLUSION ON)
