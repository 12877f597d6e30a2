# What cpack packs: the build folder is taken as it is, where cpack's own way would build everything in it first.
if(CPACK_EMUCC_MISSING)
  message(FATAL_ERROR "no package is made, as this build lacks ${CPACK_EMUCC_MISSING}: install it, and build again")
endif()
unset(ENV{DESTDIR}) # set for a .deb, but the folder named here is the whole one
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${CPACK_EMUCC_BUILD_FOLDER} --component emucc --strip
          --prefix ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${CPACK_PACKAGING_INSTALL_PREFIX}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
