# compile_by_room(target): the sources of each folder are compiled as one, which takes a third of the time: most of it
# goes into headers that all of them include. To be called when all its sources are known; those with options of their
# own, and those with SKIP_UNITY_BUILD_INCLUSION, stay apart.
#
# With CMAKE_UNITY_BUILD=OFF, as in the preset "maintainer", each source is compiled by itself; so one that lives off
# another's includes is seen there.

include_guard(GLOBAL)

# Whether sources may share what they include.
set(compiled_together ON)
if(DEFINED CMAKE_UNITY_BUILD)
  set(compiled_together ${CMAKE_UNITY_BUILD})
endif()

function(compile_by_room target)
  if(NOT compiled_together)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(home ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${home} NORMALIZE OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE room)
    string(MAKE_C_IDENTIFIER "${room}" room)
    set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
