# What cmake --install provides: the program, and the CMake package polhode, with the libraries polhode::core and
# polhode::files, all that modules are compiled from, and polhode_add_system().
# The portable build has shared libraries instead of archives.
set(POLHODE_HAVE_CORE ON)
if(POLHODE_PORTABLE OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(POLHODE_HAVE_CORE OFF)
endif()
set(POLHODE_CORE_ARCHIVES polhode_core polhode_units)
set(POLHODE_FILES_ARCHIVES polhode_runs polhode_rank)

function(polhode_install_package)
  include(GNUInstallDirs)
  include(CMakePackageConfigHelpers)
  set(sources ${CMAKE_INSTALL_DATADIR}/polhode/src)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/polhode)
  install(DIRECTORY include/polhode TYPE INCLUDE)
  foreach(file IN LISTS POLHODE_MODULE_HEADERS)
    cmake_path(GET file PARENT_PATH folder)
    install(FILES src/${file} DESTINATION ${sources}/${folder})
  endforeach()
  install(FILES ${POLHODE_DEVICE_HEADERS} DESTINATION ${sources}/kernels)
  set(archives ${CMAKE_INSTALL_LIBDIR}/polhode)
  install(TARGETS polhode_references LIBRARY)
  if(POLHODE_HAVE_CORE)
    add_library(polhode_rank STATIC $<TARGET_OBJECTS:polhode_alone>)
    install(TARGETS ${POLHODE_CORE_ARCHIVES} ${POLHODE_FILES_ARCHIVES} ARCHIVE DESTINATION ${archives})
  endif()
  configure_package_config_file(cmake/polhodeConfig.cmake.in ${CMAKE_BINARY_DIR}/generated/polhodeConfig.cmake
    INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR archives)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/polhodeConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES cmake/PolhodeAddSystem.cmake ${CMAKE_BINARY_DIR}/generated/polhodeConfig.cmake
    ${CMAKE_BINARY_DIR}/generated/polhodeConfigVersion.cmake DESTINATION ${package})
endfunction()
