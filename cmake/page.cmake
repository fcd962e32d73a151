# The files of the live page as arrays of bytes, for src/market_data/damrak/page/assets.cpp. They are built from web/ by its
# developers and committed (tools/check_web_bundle), so that a build of Damrak needs no Node. The program has them compressed,
# as nearly every browser takes them.
find_program(DAMRAK_GZIP gzip REQUIRED)
mark_as_advanced(DAMRAK_GZIP)
set(page_folder ${PROJECT_BINARY_DIR}/page)
file(MAKE_DIRECTORY ${page_folder})
set(page_files)
foreach(name IN ITEMS index.html page.js page.css)
  set(from ${CMAKE_CURRENT_SOURCE_DIR}/web/dist/${name})
  add_custom_command(OUTPUT ${page_folder}/${name}.inc
    COMMAND ${DAMRAK_GZIP} -9 -n -c ${from} > ${page_folder}/${name}.gz
    COMMAND ${CMAKE_COMMAND} -DFROM=${page_folder}/${name}.gz -DTO=${page_folder}/${name}.inc
      -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${from} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  list(APPEND page_files ${page_folder}/${name}.inc)
endforeach()
set_source_files_properties(src/market_data/damrak/page/assets.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${page_folder} OBJECT_DEPENDS "${page_files}" SKIP_UNITY_BUILD_INCLUSION ON)
