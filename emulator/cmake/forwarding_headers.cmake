# Makes the headers of forwarding_headers.txt, in the folder ${emulator_forwarding_headers}. They are beside include/
# wherever that is searched, and an installed emucc has both in one.

set(emulator_forwarding_headers ${CMAKE_BINARY_DIR}/emulator/forwarding_headers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/forwarding_headers.txt)

file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/forwarding_headers.txt lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ":.*" "" header "${line}")
  string(REGEX REPLACE "^[^:]*: *" "" names "${line}")
  string(REPLACE " " ";" names "${names}")
  foreach(name IN LISTS names)
    file(CONFIGURE OUTPUT ${emulator_forwarding_headers}/${name} CONTENT
         "#pragma once\n#pragma GCC system_header\n#include <${header}>\n" @ONLY)
  endforeach()
endforeach()
