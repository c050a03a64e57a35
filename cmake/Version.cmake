# Asks git at build time which commit this is. Included, it defines the target polhode_version, which runs this file as
# a script; the script writes version.cpp, and only where it changes, so that nothing else is built again.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(POLHODE_VERSION_SOURCE ${CMAKE_BINARY_DIR}/generated/version.cpp)
  add_custom_target(polhode_version
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_SOURCE_DIR} -D VERSION=${PROJECT_VERSION}
      -D OUTPUT=${POLHODE_VERSION_SOURCE} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${POLHODE_VERSION_SOURCE}
    COMMENT "" VERBATIM)
  return()
endif()

# A tarball unpacked inside another project's checkout must not take that project's commit for its own.
set(GIT "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always
    OUTPUT_VARIABLE GIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # describe --dirty would lock the index, and a build must not get in the way of a commit.
  execute_process(COMMAND git -C ${SOURCE} --no-optional-locks status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(GIT AND changes)
    string(APPEND GIT -dirty)
  endif()
endif()
configure_file(${SOURCE}/src/version.cpp.in ${OUTPUT} @ONLY)
