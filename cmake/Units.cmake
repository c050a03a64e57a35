# Generates the translation units of every step map on every system that it advances: one for each instruction set, one
# for CUDA; one for the reference of every system; and the catalog, as entries and, for the tests,
# as types.
set(POLHODE_SOURCE_ROOTS ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
set(POLHODE_INSTRUCTION_SETS scalar avx2 avx512)
set(POLHODE_PRECISIONS double float)
include(${CMAKE_CURRENT_LIST_DIR}/SystemUnits.cmake)

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
    string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
  endforeach()

  foreach(system IN LISTS POLHODE_SYSTEMS)
    polhode_split(${system} 3 header type maps)
    string(APPEND includes "#include \"polhode/system/${header}.hpp\"\n")
    string(APPEND system_lines "      system_entry<${type}>(),\n")
    polhode_reference_unit(${generated} polhode/system/${header}.hpp ${type})
    list(APPEND reference_units ${REFERENCE_UNIT})

    string(REPLACE "," ";" maps ${maps})
    foreach(map IN LISTS maps)
      polhode_map_units(${generated} polhode/system/${header}.hpp ${type} ${map})
      list(APPEND units ${CPU_UNITS})
      target_sources(polhode_cuda PRIVATE ${CUDA_UNITS})
      string(APPEND tables "${TABLES}")
      list(APPEND systems_of_${map} ${type})
      set(${map}_on_${type} "${MAP_ON_SYSTEM}")
    endforeach()
  endforeach()

  foreach(method IN LISTS POLHODE_METHODS)
    polhode_split(${method} 3 header type maps)
    string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
    string(REPLACE "," ";" maps ${maps})
    foreach(map IN LISTS maps)
      list(APPEND families_of_${map} ${type})
      foreach(system IN LISTS systems_of_${map})
        string(APPEND method_lines "      method_entry<${type}, ${${map}_on_${system}},\n")
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
    target_compile_options(polhode_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${POLHODE_CUDA_STEP_FLAGS}
      $<$<NOT:$<BOOL:${POLHODE_ALLOW_SPILLS}>>:-Xptxas=--warning-as-error>>)
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
