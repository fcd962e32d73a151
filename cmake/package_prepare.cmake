# Run by CPack over what it is about to pack: compresses what Debian wants compressed.
file(GLOB_RECURSE files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
list(FILTER files INCLUDE REGEX "/man/man1/[^/]+\\.1$|/doc/[^/]+/(changelog|CHANGELOG\\.md)$")
if(files)
  execute_process(COMMAND gzip -9n ${files} COMMAND_ERROR_IS_FATAL ANY)
endif()
