# The program: what is shipped.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(ncursesw REQUIRED IMPORTED_TARGET ncursesw)

# The shared parts of the programs, the program, and the laboratory, which `damrak lab` starts.
file(GLOB cli_sources CONFIGURE_DEPENDS apps/damrak/*.cpp)
file(GLOB_RECURSE app_sources CONFIGURE_DEPENDS apps/damrak/*/*.cpp)
file(GLOB lab_sources CONFIGURE_DEPENDS apps/damrak/lab/*.cpp)
list(REMOVE_ITEM cli_sources ${PROJECT_SOURCE_DIR}/apps/damrak/main.cpp)
list(REMOVE_ITEM app_sources ${lab_sources})

add_library(damrak_cli STATIC ${cli_sources})
add_executable(damrak_program apps/damrak/main.cpp ${app_sources})
set_target_properties(damrak_program PROPERTIES OUTPUT_NAME damrak)
target_link_libraries(damrak_program PRIVATE damrak_exchange damrak_markets PkgConfig::tomlplusplus PkgConfig::ncursesw)
add_executable(damrak_lab_program ${lab_sources})
set_target_properties(damrak_lab_program PROPERTIES OUTPUT_NAME damrak-lab)
target_link_libraries(damrak_lab_program PRIVATE damrak_techniques damrak_markets)
foreach(target IN ITEMS damrak_cli damrak_program damrak_lab_program)
  target_include_directories(${target} PRIVATE apps/damrak)
  target_link_libraries(${target} PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)
  # They read options, connect parts and print; code that must be fast is in the library.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(NOT target STREQUAL "damrak_cli")
    target_link_libraries(${target} PRIVATE damrak_cli)
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  endif()
endforeach()
target_link_libraries(damrak_cli PRIVATE damrak_sessions)
# The demo market's participants are part of the program.
set(demo_market ${PROJECT_SOURCE_DIR}/examples/markets/demo.toml)
set(demo_folder ${PROJECT_BINARY_DIR}/demo)
file(MAKE_DIRECTORY ${demo_folder})
add_custom_command(OUTPUT ${demo_folder}/demo_market.inc
  COMMAND ${CMAKE_COMMAND} -DFROM=${demo_market} -DTO=${demo_folder}/demo_market.inc
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${demo_market} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
target_sources(damrak_program PRIVATE ${demo_folder}/demo_market.inc)
target_include_directories(damrak_program PRIVATE ${demo_folder})
damrak_unity(damrak_program ${PROJECT_SOURCE_DIR}/apps/damrak 24 serve)
# Folders in one unit spend most of their time in the headers that they share. A unit has one
# meaning for each name of its unnamed namespace.
function(damrak_program_unit name)
  foreach(pattern IN LISTS ARGN)
    file(GLOB sources ${PROJECT_SOURCE_DIR}/apps/damrak/${pattern})
    set_source_files_properties(${sources} TARGET_DIRECTORY damrak_program PROPERTIES UNITY_GROUP ${name})
  endforeach()
endfunction()
damrak_program_unit(days_and_sessions main.cpp archive/*.cpp book/*.cpp convert/*.cpp fix/*.cpp generate/*.cpp
  instruments/*.cpp report/*.cpp term/*.cpp venue/json.cpp)
damrak_program_unit(streams journal/*.cpp load/*.cpp replay/*.cpp)
damrak_program_unit(markets sim/*.cpp venue/venue.cpp)
set_target_properties(damrak_cli PROPERTIES UNITY_BUILD ${DAMRAK_UNITY})
damrak_unity(damrak_lab_program ${PROJECT_SOURCE_DIR}/apps/damrak 5 lab)
