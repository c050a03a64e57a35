# The translation units of one system, for the program and for plugins. Included with
#
#   POLHODE_SOURCE_ROOTS          two folders: of src/ and of kernels/'s parent
#   POLHODE_INSTRUCTION_SETS      those of POLHODE_ISAS to compile for
#   POLHODE_PRECISIONS            double, float
#   POLHODE_STEP_MAPS, POLHODE_MAPS_IN_MEMORY, POLHODE_METHODS   see CMakeLists.txt
list(GET POLHODE_SOURCE_ROOTS 0 POLHODE_SRC)
list(GET POLHODE_SOURCE_ROOTS 1 POLHODE_KERNELS)
set(POLHODE_ISAS scalar avx2 avx512)
set(POLHODE_ISA_FLAGS_scalar -march=x86-64)
set(POLHODE_ISA_FLAGS_avx2 -march=x86-64-v3)
set(POLHODE_ISA_FLAGS_avx512 -march=x86-64-v4)

# What GCC alone must be told.
#   GCSE after reload takes a seventh of its time and makes nothing faster.
#   Large states are in memory, thousands of stores in one function: it looks back through all of them at every load, two
#   thirds of its time, unless it is told to look back less far.
#   Vectors of packs are larger than what it takes apart by itself where they are copied, and what is copied as a whole
#   it leaves to the string instructions of the processor, whose stores the loads of a step would have to wait for.
#   Static members of templates would be shared by all plugins in a process.
set(POLHODE_OPTIMISED_LEVEL -O3)
set(POLHODE_QUICK_LEVEL -O1)
set(POLHODE_KERNEL_FLAGS -fno-exceptions -fno-trapping-math)
set(POLHODE_KERNEL_FLAGS_GNU -fno-gcse-after-reload --param=sccvn-max-alias-queries-per-access=10
  --param=sra-max-scalarization-size-Ospeed=16384 -mmemcpy-strategy=vector_loop:-1:noalign -fno-gnu-unique)
set(POLHODE_PLUGIN_FLAGS "")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(POLHODE_PLUGIN_FLAGS -fno-gnu-unique)
endif()

# Masks combine with & and |, and are bool where a scalar is one number, which Clang takes for a slip.
set(POLHODE_WARNINGS -Wall)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND POLHODE_WARNINGS -Wno-bitwise-instead-of-logical)
endif()

# Flags of everything that includes a step: the bits must not depend on what the compiler chooses to fuse.
set(POLHODE_STEP_FLAGS -ffp-contract=off -fno-math-errno)
# (nvcc's -O3 takes half as long again over its intermediate code as -O2, and finds nothing more. Both have laid a vector
# that is solved for over the matrix it is solved with, as if one had ended before the other began: nothing in local
# memory may share its place. Cuda.cmake asks whether nvcc knows the flag. GCC sees subscripts that nothing reaches.)
set(POLHODE_CUDA_STEP_FLAGS -Xcicc=-O2,--Xllc=-no-stack-coloring --fmad=false --expt-relaxed-constexpr
  -Xptxas=--warn-on-spills,--warn-on-local-memory-usage -Xcompiler=-ffp-contract=off,-Wall,-Wno-array-bounds)

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

# The type of the step map that a header in include/polhode/method has.
function(polhode_type_of_map header result)
  foreach(map IN LISTS POLHODE_STEP_MAPS)
    polhode_split(${map} 2 found type)
    if(found STREQUAL header)
      set(${result} ${type} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${header} is not in POLHODE_STEP_MAPS (see CMakeLists.txt)")
endfunction()

# Compile options of a unit for an instruction set, in every build type.
function(polhode_unit_options ISA result)
  # Always optimised: at -O0 the units would leave untagged weak symbols of the standard library behind. Those for any
  # processor spend their time in the library's fused multiply-add: -O1 costs them a twentieth and compiles in half
  # the time.
  set(flags ${POLHODE_OPTIMISED_LEVEL})
  if(ISA STREQUAL scalar)
    set(flags ${POLHODE_QUICK_LEVEL})
  endif()
  list(APPEND flags ${POLHODE_KERNEL_FLAGS} -fno-sanitize=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND flags ${POLHODE_KERNEL_FLAGS_GNU})
  endif()
  set(${result} ${flags} ${POLHODE_ISA_FLAGS_${ISA}} PARENT_SCOPE)
endfunction()

# Generates the units of a system (a type, and the header to include for it) with a step map. Gives the caller
#   CPU_UNITS, CUDA_UNITS   their files
#   TABLES                  declarations of what they export
#   MAP_ON_SYSTEM           arguments of method_entry for it (src/catalog/entry.hpp), all but the method and the reference
function(polhode_map_units folder SYSTEM_HEADER SYSTEM_TYPE MAP_HEADER)
  polhode_type_of_map(${MAP_HEADER} MAP_TYPE)
  string(MAKE_C_IDENTIFIER ${SYSTEM_TYPE} STEM)
  string(APPEND STEM _${MAP_HEADER})
  list(JOIN POLHODE_PRECISIONS ", " PRECISIONS)
  set(cpu_units "")
  set(cuda_units "")
  set(tables "")
  set(cpu_tables "")
  foreach(ISA IN LISTS POLHODE_ISAS)
    if(NOT ISA IN_LIST POLHODE_INSTRUCTION_SETS)
      string(APPEND cpu_tables "nullptr, ")
      continue()
    endif()
    set(unit ${folder}/cpu_${STEM}_${ISA}.cpp)
    configure_file(${POLHODE_SRC}/backend/cpu/unit.cpp.in ${unit} @ONLY)
    polhode_unit_options(${ISA} options)
    set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${options}")
    list(APPEND cpu_units ${unit})
    string(APPEND tables "extern const polhode::CpuTable polhode_cpu_${STEM}_${ISA};\n")
    string(APPEND cpu_tables "&polhode_cpu_${STEM}_${ISA}, ")
  endforeach()

  set(cuda_table nullptr)
  if(POLHODE_HAVE_CUDA)
    set(unit ${folder}/cuda_${STEM}.cu)
    configure_file(${POLHODE_KERNELS}/kernels/unit.cu.in ${unit} @ONLY)
    if(MAP_HEADER IN_LIST POLHODE_MAPS_IN_MEMORY)
      set_source_files_properties(${unit} PROPERTIES COMPILE_DEFINITIONS POLHODE_CALLS_ON_DEVICE)
    endif()
    list(APPEND cuda_units ${unit})
    string(APPEND tables "extern const polhode::CudaKernels* const (*const polhode_cuda_${STEM})[2];\n")
    set(cuda_table polhode_cuda_${STEM})
  endif()
  set(CPU_UNITS ${cpu_units} PARENT_SCOPE)
  set(CUDA_UNITS ${cuda_units} PARENT_SCOPE)
  set(TABLES "${tables}" PARENT_SCOPE)
  set(MAP_ON_SYSTEM "${MAP_TYPE}, ${SYSTEM_TYPE}>({\"polhode/method/${MAP_HEADER}.hpp\", \"${MAP_TYPE}\"}, {${cpu_tables}}, ${cuda_table}"
    PARENT_SCOPE)
endfunction()

# Generates the units of a system's starts, those for any processor always. Gives the caller
#   START_UNITS         their files
#   START_TABLES        declarations of what they export
#   START_FUNCTIONS     the argument of system_entry (src/catalog/entry.hpp)
# A processor with AVX-512 takes those for AVX2: much of the time goes into 64-bit products of random numbers, which
# neither has, and AVX-512 gains little.
function(polhode_start_units folder SYSTEM_HEADER SYSTEM_TYPE)
  string(MAKE_C_IDENTIFIER ${SYSTEM_TYPE} STEM)
  set(units "")
  set(tables "")
  set(functions "")
  foreach(ISA IN LISTS POLHODE_ISAS)
    if(ISA STREQUAL avx512 OR (ISA STREQUAL avx2 AND NOT ISA IN_LIST POLHODE_INSTRUCTION_SETS))
      string(APPEND functions "nullptr, ")
      continue()
    endif()
    set(unit ${folder}/starts_${STEM}_${ISA}.cpp)
    configure_file(${POLHODE_SRC}/system/start_unit.cpp.in ${unit} @ONLY)
    polhode_unit_options(${ISA} options)
    set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${options}")
    list(APPEND units ${unit})
    string(APPEND tables "extern const polhode::StartFunctions polhode_starts_${STEM}_${ISA};\n")
    string(APPEND functions "&polhode_starts_${STEM}_${ISA}, ")
  endforeach()
  set(START_UNITS ${units} PARENT_SCOPE)
  set(START_TABLES "${tables}" PARENT_SCOPE)
  set(START_FUNCTIONS "{${functions}}" PARENT_SCOPE)
endfunction()

# What the references of all systems share.
set(POLHODE_REFERENCE_SOURCES ${POLHODE_SRC}/backend/reference/collocation_rule.cpp
  ${POLHODE_SRC}/backend/reference/constrained_motions.cpp
  ${POLHODE_SRC}/backend/reference/constrained_step.cpp
  ${POLHODE_SRC}/backend/reference/dense_solve.cpp
  ${POLHODE_SRC}/backend/reference/reference_method.cpp
  ${POLHODE_SRC}/backend/reference/reference_run.cpp)
# They need not be fast, and Eigen's expressions take long to optimise.
set_source_files_properties(${POLHODE_REFERENCE_SOURCES} PROPERTIES COMPILE_OPTIONS -O1)

# The archive of them, for the program and for plugins, given what to link for the headers.
function(polhode_shared_reference headers)
  add_library(polhode_reference STATIC ${POLHODE_REFERENCE_SOURCES})
  set_target_properties(polhode_reference PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(polhode_reference PRIVATE ${POLHODE_SOURCE_ROOTS})
  target_compile_options(polhode_reference PRIVATE ${POLHODE_PLUGIN_FLAGS} ${POLHODE_WARNINGS})
  target_link_libraries(polhode_reference PRIVATE ${headers} Eigen3::Eigen)
endfunction()

# Generates the unit of a system's reference, and gives the caller its file as REFERENCE_UNIT.
function(polhode_reference_unit folder SYSTEM_HEADER SYSTEM_TYPE)
  string(MAKE_C_IDENTIFIER ${SYSTEM_TYPE} name)
  cmake_path(GET SYSTEM_HEADER STEM SYSTEM_STEM)
  set(unit ${folder}/reference_${name}.cpp)
  configure_file(${POLHODE_SRC}/backend/reference/unit.cpp.in ${unit} @ONLY)
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS -O1 COMPILE_DEFINITIONS POLHODE_LEAVE_INLINING)
  set(REFERENCE_UNIT ${unit} PARENT_SCOPE)
endfunction()
