# Finds nvcc, or says in one line that the build has no CUDA backend. Gives
#   POLHODE_HAVE_CUDA
#   POLHODE_CUDA_CODE      flags for the architectures, of every target with code for a device; empty if
#                          CMAKE_CUDA_ARCHITECTURES was given
#   POLHODE_CUDA_CHECKED   architectures that their objects have machine code for
set(POLHODE_HAVE_CUDA OFF)
if(POLHODE_CUDA)
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    # nvcc takes far longer to intermediate code than from there to machine code, and would take it once for each
    # architecture that CMake knows of: so that of 7.5 is made into code for 7.5, 8.0 (which runs on 8.6 and 8.9 as it
    # is) and 9.0, and kept for devices that are newer.
    set(CMAKE_CUDA_ARCHITECTURES OFF)
    set(POLHODE_CUDA_CODE --generate-code=arch=compute_75,code=[sm_75,sm_80,sm_90,compute_75])
    set(POLHODE_CUDA_CHECKED 75 80 90)
  else()
    set(POLHODE_CUDA_CODE "")
    set(POLHODE_CUDA_CHECKED ${CMAKE_CUDA_ARCHITECTURES})
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # Without this flag a kernel may compute something else (cmake/SystemUnits.cmake).
    include(CheckCompilerFlag)
    check_compiler_flag(CUDA -Xcicc=--Xllc=-no-stack-coloring POLHODE_NVCC_KEEPS_VARIABLES_APART)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.4)
      message(STATUS "polhode: CPU only (nvcc ${CMAKE_CUDA_COMPILER_VERSION} is older than 12.4)")
    elseif(NOT POLHODE_NVCC_KEEPS_VARIABLES_APART)
      message(STATUS "polhode: CPU only (nvcc ${CMAKE_CUDA_COMPILER_VERSION} does not know -no-stack-coloring)")
    else()
      find_package(CUDAToolkit REQUIRED)
      set(POLHODE_HAVE_CUDA ON)
      # CMake 3.25 does not know nvcc's flag for C++20, which CMAKE_CXX_STANDARD asks of it too, and gives up without it.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
  else()
    message(STATUS "polhode: CPU only (no nvcc found)")
  endif()
else()
  message(STATUS "polhode: CPU only (POLHODE_CUDA is off)")
endif()
