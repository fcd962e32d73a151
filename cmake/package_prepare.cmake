# CPack runs this on the files to be packed: compresses those that Debian requires compressed.
file(GLOB_RECURSE files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
list(FILTER files INCLUDE REGEX "/man/man1/[^/]+\\.1$|/doc/[^/]+/(changelog|CHANGELOG\\.md)$")
if(files)
  execute_process(COMMAND gzip -9n ${files} COMMAND_ERROR_IS_FATAL ANY)
endif()
