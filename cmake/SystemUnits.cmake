# Options of compilers, and the translation units of one system of the program.
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
#   Static members of templates would be shared by all modules in a process.
set(POLHODE_OPTIMISED_LEVEL -O3)
set(POLHODE_QUICK_LEVEL -O1)
set(POLHODE_KERNEL_FLAGS -fno-exceptions -fno-trapping-math)
set(POLHODE_KERNEL_FLAGS_GNU -fno-gcse-after-reload --param=sccvn-max-alias-queries-per-access=10
  --param=sra-max-scalarization-size-Ospeed=16384 -mmemcpy-strategy=vector_loop:-1:noalign -fno-gnu-unique)
# Masks combine with & and |, and are bool where a scalar is one number, which Clang takes for a slip.
set(POLHODE_WARNINGS -Wall)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND POLHODE_WARNINGS -Wno-bitwise-instead-of-logical)
endif()

# Flags of everything that includes a step: the bits must not depend on what the compiler chooses to fuse.
set(POLHODE_STEP_FLAGS -ffp-contract=off -fno-math-errno)
# (nvcc's -O3 takes half as long again over its intermediate code as -O2, and finds nothing more. Both have laid a vector
# that is solved for over the matrix it is solved with, as if one had ended before the other began: nothing in local
# memory may share its place. nvcc knows the flag from 12.4 on. GCC sees subscripts that nothing reaches.)
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

# Generates the unit of a system's starts for any processor, and gives the caller its file as START_UNIT and a declaration
# of what it exports as START_TABLE; those for better processors are modules.
function(polhode_start_unit folder SYSTEM_HEADER SYSTEM_TYPE)
  string(MAKE_C_IDENTIFIER ${SYSTEM_TYPE} STEM)
  set(unit ${folder}/starts_${STEM}.cpp)
  configure_file(src/system/start_unit.cpp.in ${unit} @ONLY)
  polhode_unit_options(scalar options)
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${options}")
  set(START_UNIT ${unit} PARENT_SCOPE)
  set(START_TABLE "extern const polhode::StartFunctions polhode_starts_${STEM};\n" PARENT_SCOPE)
  set(START_FUNCTIONS "&polhode_starts_${STEM}" PARENT_SCOPE)
endfunction()

# What the references of all systems share.
set(POLHODE_REFERENCE_SOURCES src/backend/reference/collocation_rule.cpp
  src/backend/reference/constrained_motions.cpp
  src/backend/reference/constrained_step.cpp
  src/backend/reference/dense_solve.cpp
  src/backend/reference/reference_method.cpp
  src/backend/reference/reference_of_formulas.cpp
  src/backend/reference/reference_of_values.cpp
  src/backend/reference/reference_run.cpp
  src/formula/added_value.cpp
  src/formula/tree.cpp)
# They need not be fast, and Eigen's expressions take long to optimise.
set_source_files_properties(${POLHODE_REFERENCE_SOURCES} PROPERTIES COMPILE_OPTIONS -O1)

# Generates the unit of a system's reference, and gives the caller its file as REFERENCE_UNIT.
function(polhode_reference_unit folder SYSTEM_HEADER SYSTEM_TYPE)
  string(MAKE_C_IDENTIFIER ${SYSTEM_TYPE} name)
  cmake_path(GET SYSTEM_HEADER STEM SYSTEM_STEM)
  set(unit ${folder}/reference_${name}.cpp)
  configure_file(src/backend/reference/unit.cpp.in ${unit} @ONLY)
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS -O1 COMPILE_DEFINITIONS POLHODE_LEAVE_INLINING)
  set(REFERENCE_UNIT ${unit} PARENT_SCOPE)
endfunction()
