# polhode_add_system(own HEADER own.hpp TYPE OwnSystem [MAP constraint_algorithm | kick_drift])
#
# builds the plugin libown.so with one system of the user's own in namespace polhode or the global one: a
# ConstrainedSystem (polhode/system/constrained_system.hpp); with MAP constraint_algorithm, a HamiltonianSystem
# (polhode/system/hamiltonian_system.hpp); or with MAP kick_drift, a MechanicalSystem, which has no constraints
# (polhode/system/mechanical_system.hpp). It has every structure-preserving method for such systems with all their
# solvers, for the instruction sets and precisions in POLHODE_INSTRUCTION_SETS and POLHODE_PRECISIONS; for CUDA where
# nvcc is found, and with a reference where Eigen is.
function(polhode_add_system target)
  cmake_parse_arguments(PARSE_ARGV 1 SYSTEM "" "HEADER;TYPE;MAP" "")
  if(NOT SYSTEM_HEADER OR NOT SYSTEM_TYPE OR SYSTEM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "write polhode_add_system(NAME HEADER FILE TYPE TYPE [MAP constraint_algorithm | kick_drift])")
  endif()
  cmake_path(ABSOLUTE_PATH SYSTEM_HEADER)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_units)

  set(map constrained_motion)
  if(SYSTEM_MAP)
    set(map ${SYSTEM_MAP})
  endif()
  set(includes "#include \"${SYSTEM_HEADER}\"\n")
  set(method_lines "")
  polhode_map_units(${generated} ${SYSTEM_HEADER} ${SYSTEM_TYPE} ${map})
  polhode_start_units(${generated} ${SYSTEM_HEADER} ${SYSTEM_TYPE})
  foreach(method IN LISTS POLHODE_METHODS)
    polhode_split(${method} 3 header type maps)
    string(REPLACE "," ";" maps ${maps})
    if(map IN_LIST maps)
      string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
      string(APPEND method_lines "      method_entry<${type}, ${MAP_ON_SYSTEM},\n")
    endif()
  endforeach()
  set(CATALOG_INCLUDES "${includes}#include \"polhode/method/${map}.hpp\"\n")
  set(CATALOG_TABLES "${TABLES}${START_TABLES}")
  set(CATALOG_SYSTEMS "      system_entry<${SYSTEM_TYPE}>(${START_FUNCTIONS}),\n")
  set(CATALOG_METHODS "${method_lines}")

  # A plugin clashes with nothing: it shows its table alone, and takes no symbol from the program.
  set(exports ${generated}/exports.map)
  file(CONFIGURE OUTPUT ${exports} CONTENT "{ global: polhode_plugin; local: *; };\n")
  add_library(${target} MODULE ${CPU_UNITS} ${START_UNITS} ${CUDA_UNITS} ${generated}/plugin.cpp)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${target} PRIVATE ${POLHODE_SOURCE_ROOTS})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${POLHODE_PLUGIN_FLAGS} ${POLHODE_WARNINGS}>)
  target_link_options(${target} PRIVATE -Wl,--version-script=${exports} -Wl,-z,defs)
  set_property(TARGET ${target} PROPERTY LINK_DEPENDS ${exports})
  target_link_libraries(${target} PRIVATE polhode::headers)
  if(POLHODE_HAVE_CUDA)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${POLHODE_CUDA_CODE} ${POLHODE_CUDA_STEP_FLAGS}>)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
  endif()

  set(NO_REFERENCE "")
  if(Eigen3_FOUND)
    # The program's is used where the compiler is the same, or one is compiled for all plugins of a project.
    if(NOT TARGET polhode_reference)
      if(POLHODE_REFERENCE_COMPILER STREQUAL "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" AND EXISTS
         ${POLHODE_REFERENCE_ARCHIVE})
        add_library(polhode_reference STATIC IMPORTED GLOBAL)
        set_target_properties(polhode_reference PROPERTIES IMPORTED_LOCATION ${POLHODE_REFERENCE_ARCHIVE})
      else()
        polhode_shared_reference(polhode::headers)
      endif()
    endif()
    polhode_reference_unit(${generated} ${SYSTEM_HEADER} ${SYSTEM_TYPE})
    target_sources(${target} PRIVATE ${REFERENCE_UNIT})
    target_link_libraries(${target} PRIVATE polhode_reference Eigen3::Eigen)
  else()
    string(CONCAT NO_REFERENCE "\n// Built without Eigen.\ntemplate <>\n"
      "MakeReference reference_of<${SYSTEM_TYPE}>() {\n  return nullptr;\n}\n")
  endif()
  configure_file(${POLHODE_SRC}/catalog/plugin.cpp.in ${generated}/plugin.cpp @ONLY)
endfunction()
