# AF_XDP: the program for the network card, compiled for BPF and embedded as an array of bytes, and the
# libraries that load it. Without them the library is built all the same, and says so to who wants it.
option(DAMRAK_XDP "AF_XDP, where what it needs is installed" ON)
pkg_check_modules(libxdp IMPORTED_TARGET libxdp libbpf)
find_program(DAMRAK_BPF_CLANG NAMES clang-19 clang DOC "compiles the XDP program")
if(DAMRAK_XDP AND libxdp_FOUND AND DAMRAK_BPF_CLANG)
  set(damrak_has_xdp ON)
  list(FILTER sources EXCLUDE REGEX "/net/detail/xdp_absent\\.cpp$")
else()
  set(damrak_has_xdp OFF)
  list(FILTER sources EXCLUDE REGEX "/net/detail/xdp_(program|queue)\\.cpp$")
  message(STATUS "AF_XDP is left out: it needs libxdp-dev, libbpf-dev and clang-19")
endif()

function(damrak_link_xdp target)
  if(NOT damrak_has_xdp)
    return()
  endif()
  set(source ${PROJECT_SOURCE_DIR}/src/sessions/damrak/net/xdp/udp_port.bpf.c)
  set(folder ${PROJECT_BINARY_DIR}/xdp)
  file(MAKE_DIRECTORY ${folder})
  # The kernel's headers need those of an architecture, which BPF does not have.
  add_custom_command(OUTPUT ${folder}/udp_port.bpf.inc
    COMMAND ${DAMRAK_BPF_CLANG} -target bpf -O2 -g -Wall -Wextra -Werror
      -I/usr/include/${CMAKE_LIBRARY_ARCHITECTURE} -c ${source} -o ${folder}/udp_port.bpf.o
    COMMAND ${CMAKE_COMMAND} -DFROM=${folder}/udp_port.bpf.o -DTO=${folder}/udp_port.bpf.inc
      -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Building the XDP program" VERBATIM)
  set(user ${PROJECT_SOURCE_DIR}/src/sessions/damrak/net/detail/xdp_program.cpp)
  set_source_files_properties(${user} PROPERTIES
    INCLUDE_DIRECTORIES ${folder} OBJECT_DEPENDS ${folder}/udp_port.bpf.inc)
  target_link_libraries(${target} PRIVATE PkgConfig::libxdp)
endfunction()
