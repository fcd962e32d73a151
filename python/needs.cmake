# Fails with the names of the Debian packages if a library is missing, in place of what find_package says.
set(needed
  fmt/core.h=libfmt-dev zlib.h=zlib1g-dev zstd.h=libzstd-dev openssl/ssl.h=libssl-dev pugixml.hpp=libpugixml-dev
  boost/version.hpp=libboost-dev)
set(missing)
foreach(need IN LISTS needed)
  string(REPLACE "=" ";" need ${need})
  list(GET need 0 header)
  list(GET need 1 package)
  find_path(found_${package} ${header} NO_CACHE)
  if(NOT found_${package})
    string(APPEND missing " ${package}")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "damrak needs these Debian packages to be built: apt-get install g++ pkg-config${missing}")
endif()
