# Installs the built components, each with its own headers, targets and dependencies, so that
# find_package(damrak COMPONENTS engine) requires nothing that only another component needs.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/damrak)
foreach(name IN LISTS damrak_built)
  install(TARGETS damrak_${name} EXPORT damrak_${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${name})
  install(EXPORT damrak_${name} NAMESPACE damrak:: FILE damrak_${name}.cmake
    DESTINATION ${package_folder} COMPONENT ${name})
endforeach()

set(damrak_needs)
foreach(name IN LISTS damrak_components)
  string(APPEND damrak_needs "set(_damrak_needs_${name} ${needs_${name}})\n")
endforeach()
list(JOIN damrak_components " " damrak_components_listed)
configure_package_config_file(cmake/damrakConfig.cmake.in ${PROJECT_BINARY_DIR}/damrakConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/damrakConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
# With the engine, which every other component needs.
install(FILES ${PROJECT_BINARY_DIR}/damrakConfig.cmake ${PROJECT_BINARY_DIR}/damrakConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT engine)
