# The functions by which the parts of the course enter the build.
#
#   course_add_part("title" "what …")                       the chapters that follow belong together
#   course_add_chapter(01_global TITLE "…" [LADDER] [CUBLAS]   a chapter: a folder and this one line;
#                      [CUTENSOR] [OPENMP] [OPENCL]            OPENMP: its host code uses OpenMP's threads; OPENCL: it
#                      [AMPERE] [HOPPER] [CUSPARSE] [NCCL]     calls OpenCL, and says what to install where that is not;
#                      [BEST "kernel"])                        AMPERE, HOPPER: it has kernels for compute capability
#                                                              8.0, 9.0; CUSPARSE: its measure.cu calls cuSPARSE;
#                      [DEVICES n]                             NCCL: it calls NCCL where that is installed; DEVICES: on
#                                                              the emulator ./course run gives it so many;
#                                                              BEST: beside the ladder, the tour shows this kernel
#   course_add_cuda_executable(target [CUBLAS] [CUTENSOR]      a program with kernels, for either backend;
#                              [NCCL] [FAST] [QUICKLY]         CUBLAS, CUTENSOR, NCCL: it calls that library; FAST:
#                              source.cu …)
#                                                              without instrumentation, on the emulator; QUICKLY:
#                                                              compiled so there, for a test
# Tests enter it by those of emulator/cmake/tests.cmake.

set(course_chapter_warnings -Wall -Wextra)
# Kernels are there to be changed: taking a line out, to see what happens, is only a warning. Where
# all is as handed out (.ci/run says so by COURSE_PRISTINE) they are errors there as well.
set(course_kernel_werror OFF)
if(COURSE_WERROR AND DEFINED ENV{COURSE_PRISTINE})
  set(course_kernel_werror ON)
  list(APPEND course_chapter_warnings -Werror)
endif()

# On the cuda backend every test of a chapter needs a GPU.
set(course_backend_label "")
if(COURSE_BACKEND STREQUAL "cuda")
  set(course_backend_label gpu)
endif()
# The tests of chapters run with the emulator's checks on: a finding is a failure. (The emulator's own tests do wrong
# things on purpose; and what is built to be fast cannot be looked into.)
set(course_checks_on PROPERTIES ENVIRONMENT EMULATOR_CHECK=1)

# A program whose .cu sources hold kernels. nvcc compiles them as they stand; without it the emulator's compiler does.
# A GPU knows no difference between what is fast and what is instrumented.
function(course_add_cuda_executable target)
  cmake_parse_arguments(arg "CUBLAS;CUTENSOR;NCCL;FAST;QUICKLY" "" "" ${ARGN})
  set(how "")
  foreach(word IN ITEMS FAST QUICKLY)
    if(arg_${word})
      list(APPEND how ${word})
    endif()
  endforeach()
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  course_set_up_kernels(${target} ${how} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE course_common_built)
  if(arg_CUBLAS)
    target_link_libraries(${target} PRIVATE course_cublas)
  endif()
  if(arg_CUTENSOR)
    target_link_libraries(${target} PRIVATE course_cutensor)
  endif()
  if(arg_NCCL AND TARGET course_nccl)
    target_link_libraries(${target} PRIVATE course_nccl)
  endif()
endfunction()

# The part of it that an object library needs too: how its .cu sources are compiled.
function(course_set_up_kernels target)
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
    if(arg_HOPPER)  # of the chapter
      if(COURSE_CUDA_COMPILE_ONLY)
        set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "75;90a-real")
      elseif(CMAKE_CUDA_ARCHITECTURES STREQUAL "90")
        set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 90a-real)
      else()
        target_compile_options(
          ${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-gencode arch=compute_90a,code=sm_90a>")
      endif()
    endif()
  else()
    emulator_compile_kernels(${target} ${ARGN})
    target_compile_options(${target} PRIVATE ${course_chapter_warnings})
    if(arg_HOPPER OR arg_AMPERE)
      set(architecture 800)
      if(arg_HOPPER)
        set(architecture 900a)
      endif()
      get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
      set_target_properties(
        ${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher};--emulator-arch=${architecture}")
    endif()
  endif()
endfunction()

# What takes long takes turns where CI says so, by COURSE_DRAW: "1/4 marks pages" has a quarter done of what is of these
# kinds, and the next commit may have another one done. Nobody else leaves anything out.
#
# Which part of a kind is done, 1/4 for instance; empty: all of it.
function(course_draw_of variable kind)
  set(draw "")
  if("$ENV{COURSE_DRAW}" MATCHES "^([0-9]+/[0-9]+)( .*)? ${kind}( |$)")
    set(draw ${CMAKE_MATCH_1})
  endif()
  set(${variable} "${draw}" PARENT_SCOPE)
endfunction()

# Whether something of a kind is done, by its name; what is in a folder of COURSE_CHANGED always is.
function(course_is_drawn variable kind name)
  set(drawn ON)
  course_draw_of(draw ${kind})
  if(draw MATCHES "^(.+)/(.+)$")
    set(turn ${CMAKE_MATCH_1})
    string(REPLACE " " ";" changed "$ENV{COURSE_CHANGED}")
    string(MD5 hash ${name})
    string(SUBSTRING ${hash} 0 6 hash)
    math(EXPR number "0x${hash} % ${CMAKE_MATCH_2}")
    if(NOT number EQUAL turn AND NOT name IN_LIST changed)
      set(drawn OFF)
    endif()
  endif()
  set(${variable} ${drawn} PARENT_SCOPE)
endfunction()

# Where kernels are only compiled: builds a folder's targets only by their names, if it is not drawn.
function(course_compile_if_drawn folder)
  course_is_drawn(drawn compiling ${folder})
  if(COURSE_CUDA_COMPILE_ONLY AND NOT drawn)
    foreach(target IN LISTS ARGN)
      if(TARGET ${target})
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
    endforeach()
  endif()
endfunction()

# Where kernels are only compiled, all architectures see the chapters; for what tests and measures
# them one will do, and a machine that has it makes code for itself from its PTX.
function(course_one_architecture_is_enough target)
  if(COURSE_BACKEND STREQUAL "cuda" AND COURSE_CUDA_COMPILE_ONLY)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 75)
  endif()
endfunction()

# What a chapter computes on the CPU, to compare with: ordinary C++, optimised as the line by which the
# chapter is compiled by hand has it, and not seen by the emulator.
function(course_add_cpu_part folder)
  add_library(${folder}_cpu STATIC ${folder}/cpu.cpp)
  target_compile_options(${folder}_cpu PRIVATE -O3 ${our_warnings})
  target_include_directories(${folder}_cpu PRIVATE ${PROJECT_SOURCE_DIR}/common/lesson)
  target_link_libraries(${folder}_cpu PUBLIC Threads::Threads)
  if(TARGET openblas)
    target_compile_definitions(${folder}_cpu PRIVATE COURSE_OPENBLAS)
    target_link_libraries(${folder}_cpu PRIVATE openblas)
  endif()
endfunction()

# Of the words CUBLAS, CUTENSOR and NCCL, those that the caller was given.
macro(course_libraries_called variable)
  set(${variable} "")
  foreach(word IN ITEMS CUBLAS CUTENSOR NCCL)
    if(arg_${word})
      list(APPEND ${variable} ${word})
    endif()
  endforeach()
endmacro()

# Stands in for a chapter's program that calls cuTENSOR, in a build for a GPU on a machine that has none: on the
# emulator's cuTENSOR the chapter runs all the same, and its tests say that they were skipped.
function(course_add_chapter_without_cutensor folder label)
  add_executable(${folder} ${PROJECT_SOURCE_DIR}/cmake/without_cutensor.cpp)
  target_compile_options(${folder} PRIVATE ${our_warnings})
  set(root "")
  cmake_path(GET CMAKE_BINARY_DIR FILENAME name)
  if(name STREQUAL "cuda")
    cmake_path(GET CMAKE_BINARY_DIR PARENT_PATH root)
  endif()
  target_compile_definitions(${folder} PRIVATE CHAPTER="${folder}" COURSE="${PROJECT_SOURCE_DIR}/course"
                                               BUILD_ROOT="${root}")
  set_target_properties(${folder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/chapters)
  add_test(NAME "${label}.needs cuTENSOR" COMMAND ${folder} --only-say)
  set_tests_properties("${label}.needs cuTENSOR" PROPERTIES LABELS "${label};gpu" SKIP_RETURN_CODE 77 TIMEOUT 60)
endfunction()

# The second program of a chapter, NN_name_fast: the same sources, not instrumented. Only a run that asks for it
# (./course run NN --fast) has it compiled. Its tests, in fast_test.cpp, need it: the first of them builds it.
function(course_add_fast_program folder)
  cmake_parse_arguments(arg "CUBLAS;CUTENSOR;NCCL" "SOURCE;LABEL" "LIBRARIES" ${ARGN})
  set(target ${folder}_fast)
  set(place ${CMAKE_BINARY_DIR}/chapters/fast)
  course_libraries_called(called)
  course_add_cuda_executable(${target} FAST ${called} ${arg_SOURCE})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON OUTPUT_NAME ${folder}
                                             RUNTIME_OUTPUT_DIRECTORY ${place})

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/fast_test.cpp)
    string(REGEX REPLACE "^chapter" "" number ${arg_LABEL})
    add_script_test(
      "${arg_LABEL}.fast.the course program builds and runs it"
      LABELS ${arg_LABEL}
      COMMAND course run ${number} --fast --size 64
      PROPERTIES FIXTURES_SETUP ${target} RESOURCE_LOCK course_build TIMEOUT 300)
    add_test_program(
      ${target}_test
      PREFIX "${arg_LABEL}.fast."
      LABELS ${arg_LABEL}
      SOURCES ${folder}/fast_test.cpp
      LIBRARIES course_test_support
      DEFINITIONS CHAPTER_PROGRAM="${place}/${folder}"
      PROPERTIES FIXTURES_REQUIRED ${target})
  endif()
endfunction()

# A test program with one emulated device and with several, checked, and in other orders of the streams' work.
function(course_test_with_devices target label)
  foreach(run IN ITEMS 1/issue 2/3 3/late 4/1 8/2)
    string(REGEX MATCH "^(.+)/(.+)$" matched ${run})
    add_script_test(
      "${label}.${CMAKE_MATCH_1} devices, ${CMAKE_MATCH_2}"
      LABELS ${label}
      COMMAND ${CMAKE_COMMAND} -E env EMULATOR_CHECK=1 EMULATOR_DEVICES=${CMAKE_MATCH_1} EMULATOR_ORDER=${CMAKE_MATCH_2}
              $<TARGET_FILE:${target}>
      PROPERTIES TIMEOUT ${time_limit_of_cases} SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# Its programs and tests: the larger part of course_add_chapter(), whose variables it uses.
macro(course_add_programs_of_chapter)
  course_libraries_called(called)
  set(source ${folder}/${name}.cu)
  set(cpu_part "")
  set(opencl "")
  set(is_complete ON)
  if(arg_OPENCL)
    # It compares with what chapter 08 does on the CPU, and reads its kernels when it runs.
    set(opencl ${folder}_opencl)
    list(APPEND cpu_part 08_gemm_tiling_cpu ${opencl})
    add_library(${opencl} INTERFACE)
    target_compile_definitions(${opencl} INTERFACE COURSE_OPENCL_KERNELS="${here}/kernels.cl")
    if(TARGET course_opencl)
      target_link_libraries(${opencl} INTERFACE course_opencl)
    else()
      set(source ${folder}/without.cpp)
      set(is_complete OFF)
    endif()
  endif()
  course_add_cuda_executable(${folder} ${called} ${source})
  if(EXISTS ${here}/cpu.cpp)
    course_add_cpu_part(${folder})
    list(APPEND cpu_part ${folder}_cpu)
  endif()
  if(arg_OPENMP)
    list(APPEND cpu_part course_openmp)
  endif()
  target_link_libraries(${folder} PRIVATE ${cpu_part})
  set_target_properties(${folder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/chapters)
  if(EXISTS ${here}/more.cu)
    # Where variables are would take half of its compiler's time.
    course_add_cuda_executable(${folder}_more ${called} QUICKLY ${folder}/more.cu)
    set_target_properties(${folder}_more PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/chapters)
  endif()
  if(COURSE_BACKEND STREQUAL "emulator")
    course_add_fast_program(${folder} ${called} SOURCE ${source} LABEL ${label} LIBRARIES ${cpu_part})
    set(fast
        ",\n   \"fast\": {\"program\": \"${CMAKE_BINARY_DIR}/chapters/fast/${folder}\", \"target\": \"${folder}_fast\"}"
    )
  endif()

  if(EXISTS ${here}/test.cpp)
    add_test_program(
      ${folder}_test
      PREFIX "${label}."
      LABELS ${label} ${course_backend_label}
      SOURCES ${folder}/test.cpp
      LIBRARIES course_test_support ${opencl}
      DEFINITIONS CHAPTER_PROGRAM="${CMAKE_BINARY_DIR}/chapters/${folder}"
      ${course_checks_on})
    add_dependencies(${folder}_test ${folder})
    if(TARGET ${folder}_more)
      add_dependencies(${folder}_test ${folder}_more)
    endif()
  endif()
  foreach(test IN ITEMS launch_test more_launch_test traffic_test)
    if(NOT EXISTS ${here}/${test}.cu OR NOT is_complete)
      continue()
    endif()
    set(fast_test "")
    set(checks_on ${course_checks_on})
    if(NOT test STREQUAL "traffic_test" AND NOT arg_DEVICES)
      set(fast_test FAST)
      set(checks_on "")
    endif()
    course_add_cuda_executable(${folder}_${test} ${called} ${fast_test} QUICKLY ${folder}/${test}.cu)
    target_link_libraries(${folder}_${test} PRIVATE ${cpu_part} course_test_support doctest_main)
    course_one_architecture_is_enough(${folder}_${test})
    if(arg_DEVICES AND COURSE_BACKEND STREQUAL "emulator")
      course_test_with_devices(${folder}_${test} ${label})
      continue()
    endif()
    add_test_cases(${folder}_${test} PREFIX "${label}." LABELS ${label} ${course_backend_label} ${checks_on})
  endforeach()
  if(EXISTS ${here}/measure.cu AND is_complete)
    set_property(GLOBAL APPEND PROPERTY course_measured_chapters ${number})
    set_property(GLOBAL APPEND PROPERTY course_measured_sources ${here}/measure.cu)
    set_property(GLOBAL APPEND PROPERTY course_measured_libraries ${cpu_part})
    if(arg_HOPPER AND NOT COURSE_CUDA_COMPILE_ONLY)  # there one architecture is enough
      set_property(GLOBAL APPEND PROPERTY course_measured_for_hopper ${here}/measure.cu)
    endif()
    if(arg_CUTENSOR)
      set_property(GLOBAL APPEND PROPERTY course_measured_libraries course_cutensor)
    endif()
    if(arg_NCCL AND TARGET course_nccl)
      set_property(GLOBAL APPEND PROPERTY course_measured_libraries course_nccl)
    endif()
    if(arg_CUSPARSE)
      set_property(GLOBAL APPEND PROPERTY course_measured_libraries CUDA::cusparse)
    endif()
  endif()
endmacro()

# What chapters belong together, and what a reader who has solved their exercises can do: sentences. The chapters that
# follow are part of it.
function(course_add_part title can_do)
  set_property(GLOBAL PROPERTY course_part ${title})
  set_property(GLOBAL APPEND PROPERTY course_parts ${title})
  set_property(GLOBAL PROPERTY "course_part_can_do ${title}" ${can_do})
endfunction()

# A chapter: chapters/NN_name/name.cu becomes the program NN_name; and, on the emulator, NN_name_fast. What else its
# folder may hold, and what becomes of it:
#
#   cpu.cpp          a part of the program: what it computes on the CPU
#   more.cu          a second program, NN_name_more
#   test.cpp         tests that run the program as a reader would
#   launch_test.cu   tests that call its launch functions, as fast programs; more_launch_test.cu: likewise
#   traffic_test.cu  the same, where traffic is to be counted
#   fast_test.cpp    tests of the program that ./course run NN --fast runs
#   measure.cu       ./course measure knows its kernels from it: tools/measure
#
# The target chapterNN builds what the tests of the chapter and of its exercises need; the target tour, the programs that
# ./course tour runs.
#
# A chapter that calls OpenCL has kernels.cl besides, and without.cpp: the program where OpenCL is not installed.
function(course_add_chapter folder)
  cmake_parse_arguments(arg "LADDER;CUBLAS;CUSPARSE;CUTENSOR;NCCL;OPENMP;OPENCL;AMPERE;HOPPER" "TITLE;BEST;DEVICES" "" ${ARGN})
  string(REGEX MATCH "^([0-9][0-9])_(.+)$" matched ${folder})
  if(NOT matched OR NOT arg_TITLE)
    message(FATAL_ERROR "course_add_chapter(${folder}): want NN_name TITLE \"…\"")
  endif()
  set(number ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(label chapter${number})
  set(here ${CMAKE_CURRENT_SOURCE_DIR}/${folder})

  set(fast "")
  if(arg_CUTENSOR AND NOT TARGET course_cutensor)
    course_add_chapter_without_cutensor(${folder} ${label})
  else()
    course_add_programs_of_chapter()
  endif()
  course_compile_if_drawn(chapters/${folder} ${folder} ${folder}_more ${folder}_test ${folder}_launch_test ${folder}_more_launch_test
                          ${folder}_traffic_test)

  # All that ctest -L chapterNN runs, and nothing else. Exercises join it; the course program, which is not a target
  # yet, is what their tests are run by.
  add_custom_target(${label})
  foreach(program IN ITEMS "" _more _test _launch_test _more_launch_test _traffic_test _fast_test)
    if(TARGET ${folder}${program})
      add_dependencies(${label} ${folder}${program})
    endif()
  endforeach()
  if(NOT COURSE_CUDA_COMPILE_ONLY)  # where there is no course program
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]] CALL add_dependencies ${label} course)")
  endif()

  # What ./course tour visits (on_tour() in cli/chapters.hpp).
  if(TARGET ${folder} AND (arg_LADDER OR arg_BEST OR number STREQUAL "00"))
    if(NOT TARGET tour)
      add_custom_target(tour)
    endif()
    add_dependencies(tour ${folder})
  endif()

  get_property(part GLOBAL PROPERTY course_part)
  if(NOT part)
    message(FATAL_ERROR "course_add_chapter(${folder}): want a course_add_part() before it")
  endif()
  set_property(GLOBAL APPEND PROPERTY "course_part_chapters ${part}" ${number})
  set(ladder false)
  if(arg_LADDER)
    set(ladder true)
  endif()
  if(arg_DEVICES)
    string(APPEND fast ", \"devices\": ${arg_DEVICES}")
  endif()
  if(arg_BEST)
    string(APPEND fast ", \"best_kernel\": \"${arg_BEST}\"")
  endif()
  set_property(
    GLOBAL APPEND_STRING PROPERTY course_chapters
    ",\n  {\"number\": \"${number}\", \"name\": \"${folder}\", \"title\": \"${arg_TITLE}\",\n   \"program\": \"${CMAKE_BINARY_DIR}/chapters/${folder}\", \"target\": \"${folder}\", \"ladder\": ${ladder}${fast}}"
  )
endfunction()

# The parts of the course as JSON: [{"title": …, "can_do": …, "chapters": ["01", …]}, …].
function(course_parts_json variable)
  get_property(parts GLOBAL PROPERTY course_parts)
  set(json "")
  foreach(part IN LISTS parts)
    get_property(can_do GLOBAL PROPERTY "course_part_can_do ${part}")
    get_property(chapters GLOBAL PROPERTY "course_part_chapters ${part}")
    list(TRANSFORM chapters REPLACE "(.+)" "\"\\1\"")
    string(REPLACE ";" ", " chapters "${chapters}")
    string(APPEND json ",\n  {\"title\": \"${part}\", \"chapters\": [${chapters}],\n   \"can_do\": \"${can_do}\"}")
  endforeach()
  string(REGEX REPLACE "^,\n" "" json "${json}")
  set(${variable} "[\n${json}]" PARENT_SCOPE)
endfunction()

# Writes the list of chapters that the course program reads. Called once, after the last chapter.
function(course_write_chapter_list)
  get_property(chapters GLOBAL PROPERTY course_chapters)
  string(REGEX REPLACE "^,\n" "" chapters "${chapters}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/chapters.json CONTENT "[\n${chapters}\n]\n" @ONLY)
endfunction()
