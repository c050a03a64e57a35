# Generates the translation units of every (system, method): one for each instruction set, one for CUDA, and the catalog.
set(POLHODE_ISAS scalar avx2 avx512)
set(POLHODE_ISA_FLAGS_scalar "")
set(POLHODE_ISA_FLAGS_avx2 -march=x86-64-v3)
set(POLHODE_ISA_FLAGS_avx512 -march=x86-64-v4)

function(polhode_generate_units)
  set(generated ${CMAKE_BINARY_DIR}/generated)
  set(includes "")
  set(tables "")
  set(system_lines "")
  set(method_lines "")
  add_library(polhode_cuda STATIC)

  foreach(entry IN LISTS POLHODE_SYSTEMS POLHODE_METHODS)
    string(REPLACE ":" ";" entry ${entry})
    list(GET entry 0 header)
    if(EXISTS ${CMAKE_SOURCE_DIR}/include/polhode/system/${header}.hpp)
      string(APPEND includes "#include \"polhode/system/${header}.hpp\"\n")
    else()
      string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
    endif()
  endforeach()

  set(units "")
  foreach(system IN LISTS POLHODE_SYSTEMS)
    string(REPLACE ":" ";" system ${system})
    list(GET system 0 SYSTEM_HEADER)
    list(GET system 1 SYSTEM_TYPE)
    string(APPEND system_lines "      system_entry<${SYSTEM_TYPE}>(),\n")
    foreach(method IN LISTS POLHODE_METHODS)
      string(REPLACE ":" ";" method ${method})
      list(GET method 0 METHOD_HEADER)
      list(GET method 1 METHOD_TYPE)
      set(stem ${SYSTEM_HEADER}_${METHOD_HEADER})

      set(cpu_tables "")
      foreach(ISA IN LISTS POLHODE_ISAS)
        set(unit ${generated}/cpu_${stem}_${ISA}.cpp)
        configure_file(src/backend/cpu/unit.cpp.in ${unit} @ONLY)
        # Always optimised: at -O0 the units would leave untagged weak symbols of the standard library behind.
        set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS
          "-O3;-fno-exceptions;-fno-trapping-math;-fno-sanitize=all;${POLHODE_ISA_FLAGS_${ISA}}")
        list(APPEND units ${unit})
        string(APPEND tables "extern const polhode::CpuTable polhode_cpu_${stem}_${ISA};\n")
        string(APPEND cpu_tables "&polhode_cpu_${stem}_${ISA}, ")
      endforeach()

      set(cuda_table nullptr)
      if(POLHODE_HAVE_CUDA)
        set(unit ${generated}/cuda_${stem}.cu)
        configure_file(kernels/unit.cu.in ${unit} @ONLY)
        target_sources(polhode_cuda PRIVATE ${unit})
        string(APPEND tables "extern const polhode::CudaKernels* const polhode_cuda_${stem}[];\n")
        set(cuda_table polhode_cuda_${stem})
      endif()

      string(APPEND method_lines
        "      {${METHOD_TYPE}::name, ${METHOD_TYPE}::meaning, ${SYSTEM_TYPE}::name,\n"
        "       variant_entries(${METHOD_TYPE}::VariantsOn<${SYSTEM_TYPE}>{}), {${cpu_tables}}, ${cuda_table}},\n")
    endforeach()
  endforeach()

  add_library(polhode_units STATIC ${units})
  target_link_libraries(polhode_units PRIVATE polhode_headers)
  set(POLHODE_CPU_UNITS ${units} PARENT_SCOPE)

  if(POLHODE_HAVE_CUDA)
    # nvcc compiles the kernels and nothing else.
    target_sources(polhode_cuda PRIVATE kernels/ordering.cu src/backend/cuda/check.cpp
      src/backend/cuda/cuda_backend.cpp src/backend/cuda/device_memory.cpp)
    target_include_directories(polhode_cuda PRIVATE ${CMAKE_SOURCE_DIR})  # for kernels/
    # CMake 3.25 does not know nvcc's flag for C++20, which CMAKE_CXX_STANDARD asks of it too, and gives up without it.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20 PARENT_SCOPE)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20 PARENT_SCOPE)
    target_compile_options(polhode_cuda PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false --expt-relaxed-constexpr
        -Xptxas=--warn-on-spills,--warn-on-local-memory-usage
        -Xcompiler=-ffp-contract=off,-Wall>)
    target_link_libraries(polhode_cuda PUBLIC CUDA::cudart_static)
  else()
    target_sources(polhode_cuda PRIVATE src/backend/cuda/stub.cpp)
  endif()
  target_link_libraries(polhode_cuda PRIVATE polhode_headers)

  set(CATALOG_INCLUDES "${includes}")
  set(CATALOG_TABLES "${tables}")
  set(CATALOG_SYSTEMS "${system_lines}")
  set(CATALOG_METHODS "${method_lines}")
  configure_file(src/catalog/list.cpp.in ${generated}/catalog_list.cpp @ONLY)
  set(POLHODE_CATALOG_LIST ${generated}/catalog_list.cpp PARENT_SCOPE)
endfunction()
