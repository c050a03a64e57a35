# For one self-contained directory that runs where only glibc 2.36 and, for CUDA, a driver are installed: libraries are
# linked statically (cmake/StaticLibraries.cmake), and what all programs share lies beside polhode.
# polhode_portable_directory(), called when all targets are known, makes BUILD/polhode-portable.

# What is in all programs, half of each, are libraries that they share. Functions of one call each other and not those of
# the same name in a program.
set(POLHODE_LIBRARIES SHARED)
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,-Bsymbolic-functions>)
# One runtime for the program and its modules, each of which would be larger by 0.7 MB with one of its own.
set(POLHODE_CUDART CUDA::cudart)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)

# The targets of a folder that have a file of their own when they run.
function(polhode_runnable_targets folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(found "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY")
      list(APPEND found ${target})
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Below bin, the layout of a build directory, so that scripts/gpu-verify finds its way in both.
function(polhode_portable_directory)
  set(of_the_system "^lib(c|m|dl|pthread|rt)\\.so" "^ld-linux")  # glibc
  set(shared polhode_units polhode_core polhode_references)
  set_target_properties(polhode ${shared} PROPERTIES INSTALL_RPATH $ORIGIN)
  install(TARGETS polhode ${shared}
    RUNTIME_DEPENDENCIES PRE_EXCLUDE_REGEXES ${of_the_system}
    RUNTIME DESTINATION bin COMPONENT portable
    LIBRARY DESTINATION bin COMPONENT portable)

  set(tests "")
  if(POLHODE_TESTS)
    set(tests backends)  # the program of all tests of a GPU
    set_target_properties(${tests} PROPERTIES INSTALL_RPATH $ORIGIN/..)
    install(TARGETS ${tests} RUNTIME DESTINATION bin/tests COMPONENT portable)
  endif()

  set(bench "")
  if(TARGET polhode-bench)
    # Debian has libbenchmark only as a shared library. RPATH, unlike RUNPATH, is also where the libraries' own needs are
    # looked up.
    polhode_runnable_targets(bench bench)
    set_target_properties(${bench} PROPERTIES INSTALL_RPATH $ORIGIN:$ORIGIN/..)
    target_link_options(polhode-bench PRIVATE -Wl,--disable-new-dtags)
    install(TARGETS ${bench}
      RUNTIME_DEPENDENCIES PRE_EXCLUDE_REGEXES ${of_the_system} "^libpolhode_" "^libcudart"
        "^libstdc\\+\\+" "^libgcc_s"
      RUNTIME DESTINATION bin/bench COMPONENT portable
      LIBRARY DESTINATION bin/bench COMPONENT portable)
  endif()

  install(DIRECTORY python/polhode DESTINATION python COMPONENT portable PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY scripts/gpu_verify scripts/verification DESTINATION scripts COMPONENT portable PATTERN __pycache__ EXCLUDE)
  install(PROGRAMS scripts/gpu-verify scripts/with-python DESTINATION scripts COMPONENT portable)
  # With the equations that its contenders share with those of bench/peers, and what lorenz.cu includes.
  install(DIRECTORY bench/gpu DESTINATION bench COMPONENT portable USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
  install(FILES bench/peers/systems.py DESTINATION bench/peers COMPONENT portable)
  # Kernels are compiled below, for processors with AVX2 and AVX-512 and for GPUs of compute capability 9.0; others are
  # where there is a compiler.
  install(DIRECTORY include/polhode DESTINATION include COMPONENT portable)
  foreach(file IN LISTS POLHODE_MODULE_HEADERS)
    cmake_path(GET file PARENT_PATH folder)
    install(FILES src/${file} DESTINATION share/polhode/src/${folder} COMPONENT portable)
  endforeach()
  install(FILES ${POLHODE_DEVICE_HEADERS} DESTINATION share/polhode/src/kernels COMPONENT portable)
  install(DIRECTORY examples DESTINATION . COMPONENT portable)
  install(FILES LICENSE docs/gpu/README.md DESTINATION . COMPONENT portable)
  # What the program was built with, for reports made where no compiler is.
  set(cuda null)
  if(POLHODE_HAVE_CUDA)
    set(cuda "\"${CMAKE_CUDA_COMPILER_VERSION}\"")
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/generated/build.json
    "{\"compiler\": \"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\", \"cuda\": ${cuda}}\n")
  install(FILES ${CMAKE_BINARY_DIR}/generated/build.json DESTINATION . COMPONENT portable)

  set(directory ${CMAKE_BINARY_DIR}/polhode-portable)
  set(targets avx2,avx512)
  if(POLHODE_HAVE_CUDA)
    string(APPEND targets ,sm_90)
  endif()
  add_custom_target(portable ALL
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --component portable --strip --prefix ${directory}
    COMMAND ${directory}/bin/polhode compile --all --for ${targets} --into ${directory}/lib/polhode/kernels
    COMMAND ${CMAKE_SOURCE_DIR}/scripts/check-portable ${directory}
    COMMENT "Making ${directory}" VERBATIM)
  add_dependencies(portable polhode ${tests} ${bench})
endfunction()
