# polhode_add_system(own HEADER own.hpp [FOR TARGET...])
#
# makes the folder own in the build folder, with the header, the files beside it that it includes, and kernels/, where
# polhode finds those of the header's system (every method in double precision): for packages, and for machines without a
# compiler. Whoever runs it names the header there. FOR: instruction sets, by default scalar, avx2 and avx512.
function(polhode_add_system target)
  cmake_parse_arguments(PARSE_ARGV 1 SYSTEM "" "HEADER" "FOR")
  if(NOT SYSTEM_HEADER OR SYSTEM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "write polhode_add_system(NAME HEADER FILE [FOR TARGET...])")
  endif()
  if(NOT SYSTEM_FOR)
    set(SYSTEM_FOR scalar avx2 avx512)
  endif()
  list(JOIN SYSTEM_FOR "," targets)
  cmake_path(ABSOLUTE_PATH SYSTEM_HEADER)
  cmake_path(GET SYSTEM_HEADER PARENT_PATH source)
  cmake_path(GET SYSTEM_HEADER FILENAME name)
  file(GLOB headers CONFIGURE_DEPENDS ${source}/*.hpp ${source}/*.h)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  add_custom_command(OUTPUT ${folder}/${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${headers} ${folder}
    COMMAND ${POLHODE_PROGRAM} compile --all --system ${folder}/${name} --for ${targets} --into ${folder}/kernels
    DEPENDS ${headers} ${POLHODE_PROGRAM} COMMENT "Compiling kernels of ${name}" VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${folder}/${name})
endfunction()
