# Debian packages, by `make deb`: damrak has the program and what belongs to running it, libdamrak-dev the
# components for those who compile. They are two so that a machine which runs an exchange needs no compiler
# packages, and one which compiles gets them all.

# Manual pages and completions, made from the program's --help.
set(program_files ${PROJECT_BINARY_DIR}/program_files)
find_program(DAMRAK_HELP2MAN help2man DOC "makes the manual pages")
if(NOT CMAKE_CXX_FLAGS MATCHES "sanitize")
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(make_pages)
  if(DAMRAK_HELP2MAN)
    set(make_pages COMMAND ${PROJECT_SOURCE_DIR}/scripts/manual-pages
      $<TARGET_FILE:damrak_program> ${program_files}/man)
  else()
    message(STATUS "Manual pages are left out: they need help2man")
  endif()
  add_custom_command(OUTPUT ${program_files}/made
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${program_files}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${program_files}/man
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/completions.py
      $<TARGET_FILE:damrak_program> ${program_files}
    ${make_pages}
    COMMAND ${CMAKE_COMMAND} -E touch ${program_files}/made
    DEPENDS damrak_program damrak_lab_program tools/completions.py scripts/manual-pages
    COMMENT "Manual pages and shell completions" VERBATIM)
  add_custom_target(program_files ALL DEPENDS ${program_files}/made)
  install(DIRECTORY ${program_files}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program
    FILES_MATCHING PATTERN "*.1")
  install(FILES ${program_files}/damrak.bash RENAME damrak COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${program_files}/_damrak COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${program_files}/damrak.fish COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

add_test(NAME package.content COMMAND ${PROJECT_SOURCE_DIR}/tests/package/check.sh ${PROJECT_BINARY_DIR})

# Files that belong outside the prefix, or only make sense in a package.
set(system COMPONENT system EXCLUDE_FROM_ALL)
install(FILES packaging/damrak.service DESTINATION /usr/lib/systemd/system ${system})
install(FILES packaging/damrak.toml DESTINATION /etc/damrak ${system})
install(FILES tools/wireshark/damrak_binary.lua
  DESTINATION /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/wireshark/plugins ${system})
install(FILES docs/reference/configuration.md DESTINATION /usr/share/doc/damrak ${system})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME damrak)
set(CPACK_PACKAGE_CONTACT "Damrak maintainers <maintainers@damrak.example>")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_prepare.cmake)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_DAMRAK_PACKAGE_NAME damrak)
set(CPACK_DEBIAN_DAMRAK_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_DAMRAK_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DAMRAK_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_DAMRAK_PACKAGE_SUGGESTS "libdamrak-dev, wireshark")
set(CPACK_DEBIAN_DAMRAK_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/preinst ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/postrm
  ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles)

set(CPACK_DEBIAN_DAMRAK_DESCRIPTION "electronic exchange in a box
A limit order book and matching engine inside an exchange that people and
programs connect to: a binary protocol, FIX, and orders in UDP datagrams.
Every command is journaled before it is answered. With a trading terminal, a
load generator, replay of ITCH and LOBSTER files, a systemd service and a
Wireshark dissector.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libdamrak-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "electronic exchange in a box, development files
Headers, static libraries and a CMake package of the matching engine, the
codecs, the exchange and its clients.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libfmt-dev, zlib1g-dev, libzstd-dev, libpugixml-dev, libssl-dev, libsqlite3-dev, pkg-config")
if(damrak_has_xdp)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libxdp-dev, libbpf-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "g++, cmake")

# The date of the newest release, in the format of a Debian changelog.
file(STRINGS CHANGELOG.md released REGEX "^## \\[[0-9.]+\\] - [0-9-]+$" LIMIT_COUNT 1)
string(REGEX REPLACE "^.* - " "" released "${released}")
execute_process(COMMAND env LC_ALL=C date -u -R -d "${released}"
  OUTPUT_VARIABLE released OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(components_damrak program system)
set(components_development ${damrak_built} development_documents)
list(REMOVE_ITEM components_development techniques)  # experiments, not for use by others
foreach(group IN ITEMS damrak development)
  string(TOUPPER ${group} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  configure_file(packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/packaging/${group}/changelog @ONLY)
  list(GET components_${group} -1 component)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/${group}/changelog CHANGELOG.md packaging/debian/copyright
    DESTINATION /usr/share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  list(APPEND CPACK_COMPONENTS_ALL ${components_${group}})
endforeach()

include(CPack)
cpack_add_component_group(damrak)
cpack_add_component_group(development)
foreach(group IN ITEMS damrak development)
  foreach(component IN LISTS components_${group})
    cpack_add_component(${component} GROUP ${group})
  endforeach()
endforeach()
