# The functions by which the parts of the course enter the build.
#
#   course_add_chapter(01_global TITLE "…" [LADDER] [CUBLAS])   a chapter: a folder and this one line
#   course_add_cuda_executable(target [CUBLAS] [FOR_RUNNING]   a program with kernels, for either
#                              source.cu …)                    backend; CUBLAS: it calls cuBLAS;
#                                                              FOR_RUNNING: not to be looked into
#   course_add_doctest(target LABELS … SOURCES …)               a test program, one ctest a test case

option(COURSE_WERROR "Treat warnings in the course's own code as errors" ON)

set(course_cxx_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
set(course_chapter_warnings -Wall -Wextra)
# Kernels are there to be changed: who takes a line out, to see what happens, gets a warning. Where all is as
# handed out (.ci/run says so by COURSE_PRISTINE) they are errors there as well.
set(course_kernel_werror OFF)
if(COURSE_WERROR)
  list(APPEND course_cxx_warnings -Werror)
  if(DEFINED ENV{COURSE_PRISTINE})
    set(course_kernel_werror ON)
    list(APPEND course_chapter_warnings -Werror)
  endif()
endif()

# On the cuda backend every test of a chapter needs a GPU.
set(course_backend_label "")
if(COURSE_BACKEND STREQUAL "cuda")
  set(course_backend_label gpu)
endif()

set(course_emulator_compile ${CMAKE_BINARY_DIR}/emulator/emulator-compile)
# How kernels are compiled for running: what emucc passes, too (common/emulator/driver/build.cpp says why).
set(course_running_flags -O2 -g -fno-strict-aliasing -fwrapv -fno-delete-null-pointer-checks)

# A program whose .cu sources hold kernels. nvcc compiles them as they stand; without it our
# compiler launcher sits before g++, translates what C++ cannot parse and has every access
# reported to the emulator; with FOR_RUNNING none, and g++ optimises. A GPU knows no such difference.
function(course_add_cuda_executable target)
  cmake_parse_arguments(arg "CUBLAS;FOR_RUNNING" "" "" ${ARGN})
  set(for_running "")
  if(arg_FOR_RUNNING)
    set(for_running FOR_RUNNING)
  endif()
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  course_set_up_kernels(${target} ${for_running} ${arg_UNPARSED_ARGUMENTS})
  if(arg_CUBLAS)
    target_link_libraries(${target} PRIVATE course_cublas)
  endif()
endfunction()

# The part of it that an object library needs too: how its .cu sources are compiled.
function(course_set_up_kernels target)
  cmake_parse_arguments(arg "FOR_RUNNING" "" "" ${ARGN})
  set(sources ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE course_common)
  if(COURSE_BACKEND STREQUAL "cuda")
    set_target_properties(${target} PROPERTIES CUDA_STANDARD_REQUIRED OFF)
    # -std as an option: CMake 3.25 does not know C++20 for nvcc 13.
    target_compile_options(
      ${target}
      PRIVATE
        $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
        "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=-Wall,-Wextra>"
        "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${course_kernel_werror}>>:SHELL:-Werror all-warnings -Xcompiler=-Werror>"
    )
  else()
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX OBJECT_DEPENDS
                                                      ${course_emulator_compile})
    if(arg_FOR_RUNNING)
      set(launcher ${course_emulator_compile} --emulator-plain)
      set(flags ${course_running_flags})
    else()
      set(launcher ${course_emulator_compile})
      # -Og keeps each access of the source one access of the machine, and gdb honest.
      set(flags -Og -g)
    endif()
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
    target_compile_options(${target} PRIVATE ${flags} ${course_chapter_warnings})
    target_link_libraries(${target} PRIVATE emulator)
    add_dependencies(${target} emulator-compile)
  endif()
endfunction()

# Where kernels are only compiled, all architectures see the chapters; for what tests and measures
# them one will do, and a machine that has it makes code for itself from its PTX.
function(course_one_architecture_is_enough target)
  if(COURSE_BACKEND STREQUAL "cuda" AND COURSE_CUDA_COMPILE_ONLY)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 75)
  endif()
endfunction()

# Makes each test case of a doctest program a test of its own in ctest, named `prefix` + case.
# A test that does not find what it needs (a GPU) exits with 77 and counts as skipped.
# The tests of chapters run with the emulator's checks on: a finding is a failure. The emulator's own
# tests do wrong things on purpose; and what is built for running (a target named …_fast_test) cannot be
# looked into.
function(course_discover_tests target prefix)
  doctest_discover_tests(${target} TEST_PREFIX "${prefix}" TEST_LIST ${target}_cases)
  # doctest's script loses all labels but one, so they are set afterwards.
  set(properties ${CMAKE_CURRENT_BINARY_DIR}/${target}_properties.cmake)
  set(checks "")
  if("${ARGN}" MATCHES "chapter|common" AND NOT target MATCHES "_fast_test$")
    set(checks "  set_tests_properties(\${${target}_cases} PROPERTIES ENVIRONMENT EMULATOR_CHECK=1)\n")
  endif()
  file(
    WRITE ${properties}
    "if(${target}_cases)\n"
    "  set_tests_properties(\${${target}_cases} PROPERTIES LABELS \"${ARGN}\" SKIP_RETURN_CODE 77)\n"
    ${checks}
    "endif()\n")
  set_property(
    DIRECTORY
    APPEND
    PROPERTY TEST_INCLUDE_FILES ${properties})
endfunction()

# A test program in doctest.
function(course_add_doctest target)
  cmake_parse_arguments(arg "" "PREFIX" "LABELS;SOURCES;LIBRARIES;DEFINITIONS" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} course_doctest_main)
  target_compile_options(${target} PRIVATE ${course_cxx_warnings})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  course_discover_tests(${target} "${arg_PREFIX}" ${arg_LABELS})
endfunction()

# What a chapter computes on the CPU, to compare with: ordinary C++, optimised as the line by which the
# chapter is compiled by hand has it, and not seen by the emulator.
function(course_add_cpu_part folder)
  add_library(${folder}_cpu STATIC ${folder}/cpu.cpp)
  target_compile_options(${folder}_cpu PRIVATE -O3 ${course_cxx_warnings})
  target_link_libraries(${folder}_cpu PUBLIC Threads::Threads)
  if(TARGET course_openblas)
    target_compile_definitions(${folder}_cpu PRIVATE COURSE_OPENBLAS)
    target_link_libraries(${folder}_cpu PRIVATE course_openblas)
  endif()
endfunction()

# The second program of a chapter, NN_name_fast: the same sources, built for running. Only who asks for it
# (./course run NN --fast) has it compiled. Its tests, in fast_test.cpp, need it: the first of them builds it.
function(course_add_fast_program folder)
  cmake_parse_arguments(arg "CUBLAS" "SOURCE;NUMBER" "LIBRARIES" ${ARGN})
  set(target ${folder}_fast)
  set(place ${CMAKE_BINARY_DIR}/chapters/fast)
  set(cublas "")
  if(arg_CUBLAS)
    set(cublas CUBLAS)
  endif()
  course_add_cuda_executable(${target} FOR_RUNNING ${cublas} ${arg_SOURCE})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON OUTPUT_NAME ${folder}
                                             RUNTIME_OUTPUT_DIRECTORY ${place})

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/fast_test.cpp)
    set(label chapter${arg_NUMBER})
    add_test(NAME "${label}.fast.the course program builds and runs it"
             COMMAND course run ${arg_NUMBER} --fast --size 64)
    set_tests_properties(
      "${label}.fast.the course program builds and runs it"
      PROPERTIES LABELS ${label} FIXTURES_SETUP ${target} RESOURCE_LOCK course_build TIMEOUT 300)
    course_add_doctest(
      ${target}_test
      PREFIX "${label}.fast."
      LABELS ${label}
      SOURCES ${folder}/fast_test.cpp
      LIBRARIES course_test_support
      DEFINITIONS CHAPTER_PROGRAM="${place}/${folder}")
    set(fixture ${CMAKE_CURRENT_BINARY_DIR}/${target}_fixture.cmake)
    file(WRITE ${fixture} "if(${target}_test_cases)\n"
                          "  set_tests_properties(\${${target}_test_cases} PROPERTIES FIXTURES_REQUIRED ${target})\n"
                          "endif()\n")
    set_property(
      DIRECTORY
      APPEND
      PROPERTY TEST_INCLUDE_FILES ${fixture})
  endif()
endfunction()

# A chapter: chapters/NN_name/name.cu becomes the program NN_name, together with cpu.cpp where there is
# one; and, on the emulator, NN_name_fast. Its tests, where they are there: test.cpp runs the program as a
# reader would, launch_test.cu calls its launch functions.
set_property(GLOBAL PROPERTY course_chapters "")
function(course_add_chapter folder)
  cmake_parse_arguments(arg "LADDER;CUBLAS" "TITLE" "" ${ARGN})
  string(REGEX MATCH "^([0-9][0-9])_(.+)$" matched ${folder})
  if(NOT matched OR NOT arg_TITLE)
    message(FATAL_ERROR "course_add_chapter(${folder}): want NN_name TITLE \"…\"")
  endif()
  set(number ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})

  set(cublas "")
  if(arg_CUBLAS)
    set(cublas CUBLAS)
  endif()
  course_add_cuda_executable(${folder} ${cublas} ${folder}/${name}.cu)
  set(cpu_part "")
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/cpu.cpp)
    course_add_cpu_part(${folder})
    set(cpu_part ${folder}_cpu)
  endif()
  target_link_libraries(${folder} PRIVATE ${cpu_part})
  set_target_properties(${folder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/chapters)
  set(fast "")
  if(COURSE_BACKEND STREQUAL "emulator")
    course_add_fast_program(${folder} ${cublas} SOURCE ${folder}/${name}.cu NUMBER ${number} LIBRARIES ${cpu_part})
    set(fast
        ",\n   \"fast\": {\"program\": \"${CMAKE_BINARY_DIR}/chapters/fast/${folder}\", \"target\": \"${folder}_fast\"}"
    )
  endif()

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/test.cpp)
    course_add_doctest(
      ${folder}_test
      PREFIX "chapter${number}."
      LABELS chapter${number} ${course_backend_label}
      SOURCES ${folder}/test.cpp
      LIBRARIES course_test_support
      DEFINITIONS CHAPTER_PROGRAM="${CMAKE_BINARY_DIR}/chapters/${folder}")
    add_dependencies(${folder}_test ${folder})
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/launch_test.cu)
    course_add_cuda_executable(${folder}_launch_test ${cublas} ${folder}/launch_test.cu)
    target_link_libraries(${folder}_launch_test PRIVATE ${cpu_part} course_test_support
                                                        course_doctest_main)
    course_one_architecture_is_enough(${folder}_launch_test)
    course_discover_tests(${folder}_launch_test "chapter${number}." chapter${number}
                          ${course_backend_label})
  endif()

  set(ladder false)
  if(arg_LADDER)
    set(ladder true)
  endif()
  set_property(
    GLOBAL APPEND_STRING PROPERTY course_chapters
    ",\n  {\"number\": \"${number}\", \"name\": \"${folder}\", \"title\": \"${arg_TITLE}\",\n   \"program\": \"${CMAKE_BINARY_DIR}/chapters/${folder}\", \"target\": \"${folder}\", \"ladder\": ${ladder}${fast}}"
  )
endfunction()

# Writes the list of chapters that the course program reads. Called once, after the last chapter.
function(course_write_chapter_list)
  get_property(chapters GLOBAL PROPERTY course_chapters)
  string(REGEX REPLACE "^,\n" "" chapters "${chapters}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/chapters.json CONTENT "[\n${chapters}\n]\n" @ONLY)
endfunction()
