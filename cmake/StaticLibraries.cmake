# The libraries that are otherwise taken shared, linked statically or used as headers, under the same target names.

find_path(POLHODE_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(POLHODE_HDF5_STATIC libhdf5.a PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(POLHODE_HDF5_HL_STATIC libhdf5_hl.a PATH_SUFFIXES hdf5/serial REQUIRED)
# Debian's h5cc would add curl and crypto too, for a driver that nothing here refers to.
set(POLHODE_HDF5_NEEDS "")
foreach(name sz aec z)
  find_library(POLHODE_${name}_STATIC lib${name}.a REQUIRED)
  list(APPEND POLHODE_HDF5_NEEDS ${POLHODE_${name}_STATIC})
endforeach()
# Debian's archives are compiled for programs: code for a library that is loaded may not have the addresses of the
# streams of the C library in it. These get names of their own.
if(POLHODE_PYTHON)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
  foreach(name HDF5 HDF5_HL)
    set(archive ${CMAKE_BINARY_DIR}/generated/${name}.a)
    execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=polhode_stdin --redefine-sym stdout=polhode_stdout
      --redefine-sym stderr=polhode_stderr ${POLHODE_${name}_STATIC} ${archive} COMMAND_ERROR_IS_FATAL ANY)
    set(POLHODE_${name}_STATIC ${archive})
  endforeach()
  add_library(polhode_h5_streams STATIC src/output/h5_streams.cpp)
  set_target_properties(polhode_h5_streams PROPERTIES POSITION_INDEPENDENT_CODE ON)
  list(PREPEND POLHODE_HDF5_NEEDS polhode_h5_streams)
endif()
add_library(hdf5::hdf5 STATIC IMPORTED)
set_target_properties(hdf5::hdf5 PROPERTIES
  IMPORTED_LOCATION ${POLHODE_HDF5_STATIC}
  INTERFACE_INCLUDE_DIRECTORIES ${POLHODE_HDF5_INCLUDE}
  INTERFACE_LINK_LIBRARIES "${POLHODE_HDF5_NEEDS};m")
add_library(hdf5::hdf5_hl STATIC IMPORTED)
set_target_properties(hdf5::hdf5_hl PROPERTIES
  IMPORTED_LOCATION ${POLHODE_HDF5_HL_STATIC}
  INTERFACE_LINK_LIBRARIES hdf5::hdf5)

find_path(POLHODE_FMT_INCLUDE fmt/format.h REQUIRED)
add_library(fmt::fmt INTERFACE IMPORTED)
set_target_properties(fmt::fmt PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES ${POLHODE_FMT_INCLUDE}
  INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)

find_path(POLHODE_TOML_INCLUDE toml++/toml.h REQUIRED)
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
set_target_properties(tomlplusplus::tomlplusplus PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES ${POLHODE_TOML_INCLUDE}
  INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1)
