# polhode_add_system(own HEADER own.hpp [FILES FILE...] [FOR TARGET...])
#
# makes the folder own in the build folder, with the header, the FILES that it includes, which are named from where it is,
# and kernels/, where polhode finds those of the header's system (every method in double precision): for packages, and for
# machines without a compiler. Whoever runs it names the header there. FOR: instruction sets and GPUs (sm_90), by default
# scalar, avx2 and avx512.
function(polhode_add_system target)
  cmake_parse_arguments(PARSE_ARGV 1 SYSTEM "" "HEADER" "FILES;FOR")
  if(NOT SYSTEM_HEADER OR SYSTEM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "write polhode_add_system(NAME HEADER FILE [FILES FILE...] [FOR TARGET...])")
  endif()
  if(NOT SYSTEM_FOR)
    set(SYSTEM_FOR scalar avx2 avx512)
  endif()
  list(JOIN SYSTEM_FOR "," targets)
  cmake_path(ABSOLUTE_PATH SYSTEM_HEADER)
  cmake_path(GET SYSTEM_HEADER PARENT_PATH source)
  cmake_path(GET SYSTEM_HEADER FILENAME name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  set(copies "")
  set(sources "")
  foreach(file IN ITEMS ${name} ${SYSTEM_FILES})
    cmake_path(GET file PARENT_PATH within)
    list(APPEND copies COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}/${within}
      COMMAND ${CMAKE_COMMAND} -E copy ${source}/${file} ${folder}/${file})
    list(APPEND sources ${source}/${file})
  endforeach()
  add_custom_command(OUTPUT ${folder}/${name} ${copies}
    COMMAND ${POLHODE_PROGRAM} compile --all --system ${folder}/${name} --for ${targets} --into ${folder}/kernels
    DEPENDS ${sources} ${POLHODE_PROGRAM} COMMENT "Compiling kernels of ${name}" VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${folder}/${name})
endfunction()
