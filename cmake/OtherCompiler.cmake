# Finds the other one of GCC and Clang, for the test that both give the same bits. Gives
#   POLHODE_OTHER_COMPILER           its program, or empty
#   POLHODE_OTHER_COMPILER_IN_WORDS  its name and version, or why there is none
set(names g++ g++-14 g++-13 g++-12)
set(oldest 12)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(names clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
  set(oldest 14)
endif()
list(GET names 0 name)
find_program(POLHODE_FOUND_OTHER_COMPILER NAMES ${names} DOC "The other one of g++ and clang++; empty for none")
set(POLHODE_OTHER_COMPILER "")
if(NOT POLHODE_FOUND_OTHER_COMPILER)
  set(POLHODE_OTHER_COMPILER_IN_WORDS "${name} was not found")
  return()
endif()
execute_process(COMMAND ${POLHODE_FOUND_OTHER_COMPILER} -dumpversion
  OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
set(POLHODE_OTHER_COMPILER_IN_WORDS "${name} ${version}")
# It may be there without a standard library.
execute_process(COMMAND ${POLHODE_FOUND_OTHER_COMPILER} -std=c++20 ${POLHODE_ISA_FLAGS_avx512} -fsyntax-only
  -I ${CMAKE_SOURCE_DIR}/include -I ${CMAKE_SOURCE_DIR}/src -x c++ -include backend/cpu/unit.hpp /dev/null
  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(version VERSION_LESS oldest)
  string(APPEND POLHODE_OTHER_COMPILER_IN_WORDS " is older than ${oldest}")
elseif(failed)
  string(APPEND POLHODE_OTHER_COMPILER_IN_WORDS " cannot compile the units")
else()
  set(POLHODE_OTHER_COMPILER ${POLHODE_FOUND_OTHER_COMPILER})
endif()
