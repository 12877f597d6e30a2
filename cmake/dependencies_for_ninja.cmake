# What the compiler says a file includes, for paths that ninja would not understand.
#
# ninja, up to 1.11 at least, takes an apostrophe, &, ? and some other characters for the end of a file's name when it
# reads that list. It finds files missing then, and recompiles everything each time. So where such a character is in
# the path of the sources or of the build, the compiler runs behind a script that names the files from the build folder
# on, where ninja runs: by `sources/`, which is a link to the sources.
#
#   course_name_dependencies_for_ninja()   before the first target; sets dependency_launcher, which comes
#                                          before any other launcher of a target

function(course_name_dependencies_for_ninja)
  set(dependency_launcher "" PARENT_SCOPE)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja" OR NOT "${CMAKE_SOURCE_DIR}${CMAKE_BINARY_DIR}" MATCHES "['&?*`<>^]")
    return()
  endif()
  file(CREATE_LINK ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/sources SYMBOLIC)
  # As the compiler writes them, for make; and that for sed, in a script in apostrophes.
  foreach(folder IN ITEMS SOURCE BINARY)
    set(path "${CMAKE_${folder}_DIR}")
    string(REGEX REPLACE "([ #])" "\\\\\\1" path "${path}")
    string(REPLACE "$" "$$" path "${path}")
    string(REGEX REPLACE "([][\\.*^$|])" "\\\\\\1" path "${path}")
    string(REPLACE "'" "'\\''" path "${path}")
    set(${folder}_PATTERN "${path}")
  endforeach()
  set(script "${CMAKE_BINARY_DIR}/name_dependencies.sh")
  file(
    WRITE ${script}
    "#!/bin/sh
# Written by cmake/dependencies_for_ninja.cmake, which says why. Runs the compiler, then goes over its list.
\"\$@\" || exit
while [ \$# -gt 1 ]; do
  if [ \"\$1\" = -MF ] && [ -f \"\$2\" ]; then
    sed -e 's|${BINARY_PATTERN}/||g' -e 's|${SOURCE_PATTERN}/|sources/|g' \"\$2\" >\"\$2.named\" && mv \"\$2.named\" \"\$2\"
  fi
  shift
done
")
  set(dependency_launcher sh "${script}" PARENT_SCOPE)
endfunction()
