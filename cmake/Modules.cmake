# What the program needs to compile modules (src/modules): the names of the headers that they include and hashes of them,
# the options of compilers, and where it is built and installed. Gives POLHODE_MODULE_SOURCES; POLHODE_MODULE_HEADERS,
# relative to src/; and POLHODE_DEVICE_HEADERS.
include(GNUInstallDirs)
file(GLOB_RECURSE shared RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS include/polhode/*.hpp)
list(FILTER shared EXCLUDE REGEX "^polhode/(core|files)/")
file(GLOB POLHODE_MODULE_HEADERS RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS src/backend/*.hpp src/backend/cpu/*.hpp src/system/*.hpp)
file(GLOB POLHODE_DEVICE_HEADERS RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS kernels/*.cuh kernels/kernels.hpp)
list(APPEND POLHODE_MODULE_HEADERS backend/cuda/residence.hpp backend/reference/value_table.hpp catalog/catalog.hpp
  catalog/description_module.hpp catalog/entry.hpp contract.hpp modules/form_of.hpp modules/kernel_module.hpp
  modules/method_row.hpp modules/shadow_module.hpp modules/source_type.hpp modules/system_module.hpp
  modules/table.hpp modules/target.hpp modules/value_module.hpp)

set(SHARED_HEADERS "")
set(shared_files "")
foreach(header IN LISTS shared POLHODE_MODULE_HEADERS POLHODE_DEVICE_HEADERS)
  string(APPEND SHARED_HEADERS "      \"${header}\",\n")
endforeach()
foreach(header IN LISTS shared)
  list(APPEND shared_files ${CMAKE_SOURCE_DIR}/include/${header})
endforeach()
foreach(header IN LISTS POLHODE_MODULE_HEADERS)
  list(APPEND shared_files ${CMAKE_SOURCE_DIR}/src/${header})
endforeach()
foreach(header IN LISTS POLHODE_DEVICE_HEADERS)
  list(APPEND shared_files ${CMAKE_SOURCE_DIR}/${header})
endforeach()
set(generated ${CMAKE_BINARY_DIR}/generated)
configure_file(src/modules/shared_headers.cpp.in ${generated}/shared_headers.cpp @ONLY)
configure_file(src/modules/module_flags.hpp.in ${generated}/module_flags.hpp @ONLY)

add_executable(polhode_hash_headers src/modules/hash_headers.cpp src/modules/hash_of_headers.cpp
  src/modules/includes.cpp ${generated}/shared_headers.cpp)
target_include_directories(polhode_hash_headers PRIVATE include src)
target_link_libraries(polhode_hash_headers PRIVATE fmt::fmt)
target_compile_options(polhode_hash_headers PRIVATE -O1)
add_custom_command(OUTPUT ${generated}/headers_hash.cpp
  COMMAND polhode_hash_headers ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR} > ${generated}/headers_hash.cpp
  DEPENDS ${shared_files} polhode_hash_headers COMMENT "" VERBATIM)

set(POLHODE_HEADERS_HASH ${generated}/headers_hash.cpp)
set(POLHODE_MODULE_SOURCES ${POLHODE_HEADERS_HASH} ${generated}/shared_headers.cpp
  src/modules/cache.cpp
  src/modules/compiler.cpp
  src/modules/cxx_compiler.cpp
  src/modules/hash_of_headers.cpp
  src/modules/headers.cpp
  src/modules/includes.cpp
  src/modules/module_source.cpp
  src/modules/compilation.cpp
  src/modules/modules.cpp
  src/modules/nvcc.cpp
  src/modules/own_header.cpp
  src/modules/process.cpp
  src/modules/programs.cpp
  src/modules/target.cpp)
# Where the program looks for headers and libraries besides its own folder, and what it was built by. A wheel goes to other
# machines, where anybody may make folders of the names that they have here.
foreach(name POLHODE_BUILD POLHODE_SOURCE POLHODE_INSTALL_PREFIX POLHODE_BUILT_BY)
  set(${name} "")
endforeach()
if(NOT SKBUILD)
  set(POLHODE_BUILT_BY ${CMAKE_CXX_COMPILER}${CMAKE_CXX_COMPILER_ARG1})
  set(POLHODE_BUILD ${CMAKE_BINARY_DIR})
  set(POLHODE_SOURCE ${CMAKE_SOURCE_DIR})
  set(POLHODE_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
endif()
set_source_files_properties(src/modules/headers.cpp PROPERTIES COMPILE_DEFINITIONS
  "POLHODE_BUILD=\"${POLHODE_BUILD}\";POLHODE_SOURCE=\"${POLHODE_SOURCE}\";POLHODE_INSTALL_PREFIX=\"${POLHODE_INSTALL_PREFIX}\";POLHODE_INSTALL_LIBRARIES=\"${CMAKE_INSTALL_LIBDIR}\"")
set_source_files_properties(src/modules/cxx_compiler.cpp PROPERTIES COMPILE_DEFINITIONS
  "POLHODE_BUILT_BY=\"${POLHODE_BUILT_BY}\"")
set_source_files_properties(src/modules/nvcc.cpp PROPERTIES COMPILE_DEFINITIONS
  "POLHODE_BUILT_WITH_NVCC=\"${POLHODE_NVCC}\"")

# Kernels of the program, compiled with it and installed beside it, for packages: those of `polhode compile --all`, for the
# best instruction set of this machine, or for others.
set(POLHODE_KERNELS none CACHE STRING "Kernels compiled with the program: none, native, all or targets such as avx2,avx512")
function(polhode_compile_kernels)
  if(POLHODE_KERNELS STREQUAL none)
    return()
  elseif(POLHODE_KERNELS STREQUAL native)
    set(targets "")
  elseif(POLHODE_KERNELS STREQUAL all)
    set(targets --for scalar,avx2,avx512)
  elseif(POLHODE_KERNELS MATCHES "^[a-z0-9_]+(,[a-z0-9_]+)*$")
    set(targets --for ${POLHODE_KERNELS})
  else()
    message(FATAL_ERROR "POLHODE_KERNELS is ${POLHODE_KERNELS}: none, native, all or targets such as avx2,avx512")
  endif()
  set(folder ${CMAKE_BINARY_DIR}/lib/polhode/kernels)
  add_custom_target(polhode_kernels ALL
    COMMAND ${CMAKE_COMMAND} -E env POLHODE_HOME=${CMAKE_SOURCE_DIR} $<TARGET_FILE:polhode> compile --all ${targets} --into ${folder}
    DEPENDS polhode polhode_references COMMENT "Compiling kernels" VERBATIM)
  install(DIRECTORY ${folder} DESTINATION lib/polhode)
  install(DIRECTORY ${folder} DESTINATION polhode/lib/polhode COMPONENT python EXCLUDE_FROM_ALL)
endfunction()
