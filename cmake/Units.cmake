# Generates the translation units of every step map on every system that it advances: one for each instruction set, one
# for CUDA; one for the reference of every system; and the catalog, as entries and, for the tests, as types.
set(POLHODE_ISAS scalar avx2 avx512)
set(POLHODE_ISA_FLAGS_scalar "")
set(POLHODE_ISA_FLAGS_avx2 -march=x86-64-v3)
set(POLHODE_ISA_FLAGS_avx512 -march=x86-64-v4)

# Takes an entry of a list apart, FIELD:FIELD..., into that many variables of the caller.
function(polhode_split entry count)
  string(REPLACE ":" ";" fields ${entry})
  list(LENGTH fields found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "${entry}: ${count} fields separated by colons are needed (see CMakeLists.txt)")
  endif()
  foreach(name field IN ZIP_LISTS ARGN fields)
    set(${name} ${field} PARENT_SCOPE)
  endforeach()
endfunction()

function(polhode_generate_units)
  set(generated ${CMAKE_BINARY_DIR}/generated)
  set(includes "")
  set(tables "")
  set(system_lines "")
  set(method_lines "")
  set(units "")
  set(reference_units "")
  add_library(polhode_cuda STATIC)

  foreach(map IN LISTS POLHODE_STEP_MAPS)
    polhode_split(${map} 2 header type)
    set(type_of_${header} ${type})
    string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
  endforeach()

  foreach(system IN LISTS POLHODE_SYSTEMS)
    polhode_split(${system} 3 SYSTEM_HEADER SYSTEM_TYPE maps)
    string(APPEND includes "#include \"polhode/system/${SYSTEM_HEADER}.hpp\"\n")
    string(APPEND system_lines "      system_entry<${SYSTEM_TYPE}>(),\n")
    string(MAKE_C_IDENTIFIER ${SYSTEM_TYPE} system_name)
    set(reference ${generated}/reference_${system_name}.cpp)
    configure_file(src/backend/reference/unit.cpp.in ${reference} @ONLY)
    list(APPEND reference_units ${reference})

    string(REPLACE "," ";" maps ${maps})
    foreach(MAP_HEADER IN LISTS maps)
      set(MAP_TYPE ${type_of_${MAP_HEADER}})
      if(NOT MAP_TYPE)
        message(FATAL_ERROR "${system}: ${MAP_HEADER} is not in POLHODE_STEP_MAPS (see CMakeLists.txt)")
      endif()
      list(APPEND systems_of_${MAP_HEADER} ${SYSTEM_TYPE})
      set(STEM ${system_name}_${MAP_HEADER})

      set(cpu_tables "")
      foreach(ISA IN LISTS POLHODE_ISAS)
        set(unit ${generated}/cpu_${STEM}_${ISA}.cpp)
        configure_file(src/backend/cpu/unit.cpp.in ${unit} @ONLY)
        # Always optimised: at -O0 the units would leave untagged weak symbols of the standard library behind.
        set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS
          "-O3;-fno-exceptions;-fno-trapping-math;-fno-sanitize=all;${POLHODE_ISA_FLAGS_${ISA}}")
        list(APPEND units ${unit})
        string(APPEND tables "extern const polhode::CpuTable polhode_cpu_${STEM}_${ISA};\n")
        string(APPEND cpu_tables "&polhode_cpu_${STEM}_${ISA}, ")
      endforeach()

      set(cuda_table nullptr)
      if(POLHODE_HAVE_CUDA)
        set(unit ${generated}/cuda_${STEM}.cu)
        configure_file(kernels/unit.cu.in ${unit} @ONLY)
        target_sources(polhode_cuda PRIVATE ${unit})
        string(APPEND tables "extern const polhode::CudaKernels* const (*const polhode_cuda_${STEM})[2];\n")
        set(cuda_table polhode_cuda_${STEM})
      endif()
      set(kernels_of_${MAP_HEADER}_${SYSTEM_TYPE} "${MAP_TYPE}, ${SYSTEM_TYPE}>({${cpu_tables}}, ${cuda_table})")
    endforeach()
  endforeach()

  foreach(method IN LISTS POLHODE_METHODS)
    polhode_split(${method} 3 header type maps)
    string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
    string(REPLACE "," ";" maps ${maps})
    foreach(map IN LISTS maps)
      list(APPEND families_of_${map} ${type})
      foreach(system IN LISTS systems_of_${map})
        string(APPEND method_lines "      method_entry<${type}, ${kernels_of_${map}_${system}},\n")
      endforeach()
    endforeach()
  endforeach()

  set(types "")
  foreach(map IN LISTS POLHODE_STEP_MAPS)
    polhode_split(${map} 2 header type)
    list(JOIN systems_of_${header} ", " systems)
    list(JOIN families_of_${header} ", " families)
    string(APPEND types "\ntemplate <>\nstruct CatalogTypes<${type}> {\n  using Systems = TypeList<${systems}>;\n"
      "  using Families = TypeList<${families}>;\n};\n")
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
        $<$<NOT:$<BOOL:${POLHODE_ALLOW_SPILLS}>>:-Xptxas=--warning-as-error>
        -Xcompiler=-ffp-contract=off,-Wall>)
    if(POLHODE_PORTABLE AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      # Three programs of the portable directory hold all kernels; so they take a third of the space.
      target_compile_options(polhode_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
    endif()
    target_link_libraries(polhode_cuda PUBLIC CUDA::cudart_static)
  else()
    target_sources(polhode_cuda PRIVATE src/backend/cuda/stub.cpp)
  endif()
  target_link_libraries(polhode_cuda PRIVATE polhode_headers)

  set(CATALOG_INCLUDES "${includes}")
  set(CATALOG_TABLES "${tables}")
  set(CATALOG_SYSTEMS "${system_lines}")
  set(CATALOG_METHODS "${method_lines}")
  set(CATALOG_TYPES "${types}")
  configure_file(src/catalog/types.hpp.in ${generated}/catalog_types.hpp @ONLY)
  configure_file(src/catalog/list.cpp.in ${generated}/catalog_list.cpp @ONLY)
  set(POLHODE_CATALOG_LIST ${generated}/catalog_list.cpp PARENT_SCOPE)
  set(POLHODE_REFERENCE_UNITS ${reference_units} PARENT_SCOPE)
endfunction()
