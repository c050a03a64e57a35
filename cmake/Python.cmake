# polhode._core, the extension of the Python package in python/polhode, for the interpreter and the nanobind that CMake
# is told of: by pip (pyproject.toml), and by scripts/build, which has an environment of its own
# (scripts/python-environment). In the build's folder it stands beside links to the package's sources, so that
# PYTHONPATH=BUILD/python finds the whole.
if(NOT POLHODE_PYTHON)
  return()
endif()
find_package(Python 3.11 COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
if(NOT Python_FOUND)
  if(SKBUILD)
    message(FATAL_ERROR "polhode: the headers of Python 3.11 or later are missing (python3-dev)")
  endif()
  message(STATUS "polhode: the Python package is not built (the headers of Python 3.11 or later are missing)")
  return()
endif()
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
  OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)
nanobind_add_module(polhode_python STABLE_ABI NB_STATIC
  python/binding/errors.cpp
  python/binding/measurements.cpp
  python/binding/module.cpp
  python/binding/result.cpp
)
set(package ${CMAKE_BINARY_DIR}/python/polhode)
set_target_properties(polhode_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${package})
file(MAKE_DIRECTORY ${package})
file(GLOB sources RELATIVE ${CMAKE_SOURCE_DIR}/python/polhode CONFIGURE_DEPENDS python/polhode/*.py
  python/polhode/*.pyi python/polhode/py.typed)
foreach(source IN LISTS sources)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/polhode/${source} ${package}/${source} SYMBOLIC)
endforeach()
target_include_directories(polhode_python PRIVATE python/binding)
target_link_libraries(polhode_python PRIVATE polhode_cli polhode::files)
nanobind_add_stub(polhode_stub MODULE _core OUTPUT ${package}/_core.pyi PYTHON_PATH ${package} DEPENDS polhode_python)
# Nobody else's HDF5, of which h5py and netCDF4 bring their own, takes the place of this one, nor this one theirs.
file(WRITE ${CMAKE_BINARY_DIR}/generated/python.exports "{ global: PyInit__core; local: *; };\n")
target_link_options(polhode_python PRIVATE "LINKER:--version-script=${CMAKE_BINARY_DIR}/generated/python.exports")
# A wheel: the extension, which is the command, too, the references and what modules are compiled from (src/modules/headers.cpp), in the
# package, which is an installation prefix of its own.
add_custom_target(polhode_package DEPENDS polhode_python polhode_stub polhode_references)
if(TARGET polhode_kernels)
  add_dependencies(polhode_package polhode_kernels)
endif()
install(TARGETS polhode_python polhode_references LIBRARY DESTINATION polhode COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${package}/_core.pyi DESTINATION polhode COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY include/polhode DESTINATION polhode/include COMPONENT python EXCLUDE_FROM_ALL)
foreach(file IN LISTS POLHODE_MODULE_HEADERS)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES src/${file} DESTINATION polhode/src/${folder} COMPONENT python EXCLUDE_FROM_ALL)
endforeach()
install(FILES ${POLHODE_DEVICE_HEADERS} DESTINATION polhode/kernels COMPONENT python EXCLUDE_FROM_ALL)
