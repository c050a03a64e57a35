# What is installed for people: manual page, completion for the shells, examples and documents. Alone by
# `cmake --install BUILD --component documents`.
include(GNUInstallDirs)

# The program prints its manual page itself (src/cli/manual.cpp).
add_custom_command(TARGET polhode POST_BUILD COMMAND polhode _manual > polhode.1 BYPRODUCTS polhode.1 VERBATIM)
install(FILES ${CMAKE_BINARY_DIR}/polhode.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)

install(FILES completion/polhode.bash RENAME polhode
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT documents)
install(FILES completion/_polhode DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT documents)

install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/polhode COMPONENT documents
  REGEX "/examples/CMakeLists\\.txt$" EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES README.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)
# Beside README.md, whose links lead there.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
