# polhode_add_system(own HEADER own.hpp TYPE OwnSystem [MAP map...])
#
# builds the plugin libown.so with one system of the user's own in namespace polhode or the global one. Its methods are
# those of the step maps, with all their solvers, that MAP names; no two of which may have a method in common:
#
#   a ConstrainedSystem (polhode/system/constrained_system.hpp)   constrained_motion, the default; constrained_collocation,
#                                                                 substituted_multipliers, collocation
#   a HamiltonianSystem (polhode/system/hamiltonian_system.hpp)   constraint_algorithm, constrained_collocation
#   a MechanicalSystem (polhode/system/mechanical_system.hpp)     kick_drift, runge_kutta, generated_map,
#                                                                 partitioned_collocation
#   a CanonicalSystem (polhode/system/canonical_system.hpp)       runge_kutta, partitioned_collocation
#   a CyclicSystem (polhode/system/cyclic_system.hpp)             runge_kutta, partitioned_collocation
#   a RouthReduced (polhode/system/routh_reduced.hpp)             partitioned_collocation, discrete_routh_map
#
# It is compiled for the instruction sets and precisions in POLHODE_INSTRUCTION_SETS and POLHODE_PRECISIONS, and with a
# reference where Eigen is found. It has no kernels for GPUs.
function(polhode_add_system target)
  cmake_parse_arguments(PARSE_ARGV 1 SYSTEM "" "HEADER;TYPE" "MAP")
  if(NOT SYSTEM_HEADER OR NOT SYSTEM_TYPE OR SYSTEM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "write polhode_add_system(NAME HEADER FILE TYPE TYPE [MAP MAP...])")
  endif()
  cmake_path(ABSOLUTE_PATH SYSTEM_HEADER)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_units)

  if(NOT SYSTEM_MAP)
    set(SYSTEM_MAP constrained_motion)
  endif()
  set(includes "#include \"${SYSTEM_HEADER}\"\n")
  set(tables "")
  set(method_lines "")
  set(units "")
  set(named "")
  foreach(map IN LISTS SYSTEM_MAP)
    polhode_map_units(${generated} ${SYSTEM_HEADER} ${SYSTEM_TYPE} ${map})
    list(APPEND units ${CPU_UNITS})
    string(APPEND tables "${TABLES}")
    string(APPEND includes "#include \"polhode/method/${map}.hpp\"\n")
    foreach(method IN LISTS POLHODE_METHODS)
      polhode_split(${method} 3 header type maps)
      string(REPLACE "," ";" maps ${maps})
      if(map IN_LIST maps)
        if(header IN_LIST named)
          list(JOIN SYSTEM_MAP " " all_maps)
          message(FATAL_ERROR "polhode_add_system(${target} MAP ${all_maps}): ${header} would be there twice. "
            "Leave out one of its maps.")
        endif()
        list(APPEND named ${header})
        string(APPEND includes "#include \"polhode/method/${header}.hpp\"\n")
        string(APPEND method_lines "      method_entry<${type}, ${MAP_ON_SYSTEM}, reference_of<${SYSTEM_TYPE}>()),\n")
      endif()
    endforeach()
  endforeach()
  polhode_start_units(${generated} ${SYSTEM_HEADER} ${SYSTEM_TYPE})
  set(CATALOG_INCLUDES "${includes}")
  set(CATALOG_TABLES "${tables}${START_TABLES}")
  set(CATALOG_SYSTEMS "      system_entry<${SYSTEM_TYPE}>(${START_FUNCTIONS}),\n")
  set(CATALOG_METHODS "${method_lines}")

  # A plugin clashes with nothing: it shows its table alone, and takes no symbol from the program.
  set(exports ${generated}/exports.map)
  file(CONFIGURE OUTPUT ${exports} CONTENT "{ global: polhode_plugin; local: *; };\n")
  add_library(${target} MODULE ${units} ${START_UNITS} ${generated}/plugin.cpp)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${target} PRIVATE ${POLHODE_SOURCE_ROOTS})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${POLHODE_PLUGIN_FLAGS} ${POLHODE_WARNINGS}>)
  target_link_options(${target} PRIVATE -Wl,--version-script=${exports} -Wl,-z,defs)
  set_property(TARGET ${target} PROPERTY LINK_DEPENDS ${exports})
  target_link_libraries(${target} PRIVATE polhode::headers)

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
