# The functions by which exercises enter the build.
#
#   course_add_exercise(01a_residual TITLE "…" KIND build|mend|explain|speed|review POINTS n
#                       [CUBLAS] [CUTENSOR] [OPENCL] [NEEDS function …])
#     KIND: what a student does: writes a kernel, mends one, types what is counted of given ones, makes a slow one fast,
#     or names the wrong lines of given ones.
#     OPENCL: the student's file is OpenCL C, residual.cl. It is compiled when the checks run, by a driver. There is no
#     such exercise where OpenCL is not installed, and it is not graded: see docs/for-teachers.md.
#   course_write_exercise_list()
#
# CMake builds what a student does not touch: the checks. The student's own file is compiled and linked
# to them by the course program, `course build-exercise 01a`, which a fixture of the exercise's tests
# calls. So a syntax error stays where it is, and its message is all that is shown.

# What every program with the checks of an exercise links, and how a student's file is compiled.
if(COURSE_BACKEND STREQUAL "cuda")
  if(COURSE_CUDA_COMPILE_ONLY)
    set(architecture -arch=sm_75)
  else()
    set(architecture -arch=native)
  endif()
  set(course_exercise_compile
      ${CMAKE_CUDA_COMPILER} -std=c++20 -O3 -lineinfo ${architecture} -Xcompiler=-Wall,-Wextra,-Wno-unused-parameter
      -I${PROJECT_SOURCE_DIR}/common/lesson)
  set(course_exercise_link ${CMAKE_CUDA_COMPILER} ${architecture})
  set(course_exercise_libraries $<TARGET_FILE:course_exercise>)
  set(course_exercise_cublas -lcublas)
  set(course_exercise_cutensor "")
  if(TARGET course_cutensor)
    list(APPEND course_exercise_compile -I${cuTENSOR_INCLUDE_DIR})
    # nvcc takes no file whose name ends in a number.
    cmake_path(GET cuTENSOR_LIBRARY PARENT_PATH cutensor_folder)
    cmake_path(GET cuTENSOR_LIBRARY FILENAME cutensor_file)
    set(course_exercise_cutensor -L${cutensor_folder} -l:${cutensor_file} -Xlinker=-rpath,${cutensor_folder} -lcublasLt)
  endif()
else()
  # What a kernel never gave a value is the same large number everywhere, and not 0 by luck (g++ 12).
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-ftrivial-auto-var-init=pattern COURSE_CAN_FILL_VARIABLES)
  set(fill_variables "")
  if(COURSE_CAN_FILL_VARIABLES)
    set(fill_variables -ftrivial-auto-var-init=pattern)
  endif()
  set(course_exercise_compile
      ${emulator_compile} --emulator-ask-clang ${CMAKE_CXX_COMPILER} -std=c++20
      ${emulator_instrumented_flags} -DEMULATOR_FLAT_KERNELS -Wall -Wextra -Wno-unused-parameter ${fill_variables}
      -I${PROJECT_SOURCE_DIR}/common/lesson -I${PROJECT_SOURCE_DIR}/emulator/include
      -I${emulator_forwarding_headers})
  set(course_exercise_link ${CMAKE_CXX_COMPILER})
  set(course_exercise_libraries $<TARGET_FILE:course_exercise> $<TARGET_FILE:emulator> ${emulator_runtime_libraries})
  if(TARGET openblas_static)
    set(openblas $<TARGET_FILE:openblas_static>)
  else()
    set(openblas ${OPENBLAS_LIBRARY})
  endif()
  set(course_exercise_cublas $<TARGET_FILE:emulator_cublas> ${openblas})
  set(course_exercise_cutensor $<TARGET_FILE:emulator_cutensor> ${openblas})
endif()

# "a", "b", "c" as a list in JSON.
function(course_json_list variable)
  set(items "")
  foreach(item IN LISTS ARGN)
    string(APPEND items ", \"${item}\"")
  endforeach()
  string(REGEX REPLACE "^, " "" items "${items}")
  set(${variable} "[${items}]" PARENT_SCOPE)
endfunction()

# The names of the test cases in a check.cpp.
function(course_exercise_cases variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^TEST_CASE\\(\"")
  set(cases "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^TEST_CASE\\(\"((correct|safe|efficient): [^\"*,;]+)\"\\)")
      message(FATAL_ERROR "${file}: '${line}': a case is named \"correct: …\", \"safe: …\" or \"efficient: …\","
                          " without quotation marks, commas, semicolons and asterisks")
    endif()
    list(APPEND cases "${CMAKE_MATCH_1}")
  endforeach()
  if(NOT cases)
    message(FATAL_ERROR "${file} holds no test case")
  endif()
  set(${variable} "${cases}" PARENT_SCOPE)
endfunction()

# The points of the cases, as the table of the handout has them: `| correct: … | 4 | …`. They are stated
# once, for those who solve the exercise and for those who grade it.
function(course_exercise_points variable file wanted)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^\\| (correct|safe|efficient): ")
  set(points "")
  set(sum 0)
  foreach(case IN LISTS ARGN)
    set(found "")
    foreach(line IN LISTS lines)
      string(FIND "${line}" "| ${case} | " at)
      if(at EQUAL 0 AND line MATCHES "^\\| [^|]* \\| ([0-9]+) \\|")
        set(found ${CMAKE_MATCH_1})
      endif()
    endforeach()
    if(found STREQUAL "")
      message(FATAL_ERROR "${file}: no row '| ${case} | points | …' in the table of checks")
    endif()
    list(APPEND points ${found})
    math(EXPR sum "${sum} + ${found}")
  endforeach()
  if(NOT sum EQUAL wanted)
    message(FATAL_ERROR "${file}: the points of the checks add up to ${sum}, and the exercise has ${wanted}")
  endif()
  set(${variable} "${points}" PARENT_SCOPE)
endfunction()

# What grading needs: the judge, and what a submission is linked with. See grading/README.md.
function(course_add_judge target id name called)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/boundary.cpp)
    message(FATAL_ERROR "exercises/${name}/boundary.cpp is missing: it names the functions under test")
  endif()
  foreach(side IN ITEMS judge submission)
    add_library(${side}_${id}_boundary OBJECT EXCLUDE_FROM_ALL ${name}/boundary.cpp)
    target_link_libraries(${side}_${id}_boundary PRIVATE course_check_headers)
    target_compile_options(${side}_${id}_boundary PRIVATE ${our_warnings})
    if(TARGET headers_of_${side}s)
      target_precompile_headers(${side}_${id}_boundary REUSE_FROM headers_of_${side}s)
    endif()
  endforeach()
  target_compile_definitions(judge_${id}_boundary PRIVATE COURSE_JUDGE)
  add_executable(judge_${id} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}_check>
                                              $<TARGET_OBJECTS:judge_${id}_boundary>)
  if(TARGET ${target}_naive)
    target_sources(judge_${id} PRIVATE $<TARGET_OBJECTS:${target}_naive>)
  endif()
  set_target_properties(
    judge_${id} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME judge
                           RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/exercises/${name})
  target_link_libraries(judge_${id} PRIVATE course_judge)
  foreach(library IN LISTS called)
    string(TOLOWER ${library} library)
    target_link_libraries(judge_${id} PRIVATE course_${library})
  endforeach()
  add_dependencies(judge_${id} submission_${id}_boundary course_submission emulator-compile)
  add_dependencies(judges judge_${id})
endfunction()

# Compiles a .cu file, and no more. A stub does not use its parameters.
function(course_compile_exercise target source folder)
  add_library(${target} OBJECT ${source})
  course_set_up_kernels(${target} ${source})
  target_include_directories(${target} PRIVATE ${folder})
  if(TARGET course_cutensor)
    target_link_libraries(${target} PRIVATE course_cutensor)
  endif()
  target_compile_options(${target} PRIVATE -Xcompiler=-Wno-unused-parameter)
  course_one_architecture_is_enough(${target})
endfunction()

# All that is needed to grade.
if(COURSE_BACKEND STREQUAL "emulator")
  add_custom_target(judges ALL)
endif()

# What an exercise's file is linked with: a part of course_add_exercise(), whose variables it uses.
macro(course_add_check_of_exercise)
  # The checks, and the kernels that they launch themselves to compare with.
  add_library(${target}_check OBJECT ${name}/check.cpp)
  target_link_libraries(${target}_check PRIVATE course_check_headers doctest::doctest)
  target_compile_options(${target}_check PRIVATE ${our_warnings} -O1)
  target_compile_definitions(${target}_check PRIVATE COURSE_EXERCISE="${name}" COURSE_EXERCISE_FILE="${file}")
  # To read the headers for all takes as long as four checks: a beginner does not wait for it.
  if(TARGET headers_of_checks AND NOT id STREQUAL "00a")
    target_precompile_headers(${target}_check REUSE_FROM headers_of_checks)
  endif()
  if(arg_CUTENSOR)
    target_link_libraries(${target}_check PRIVATE course_cutensor)
  endif()
  set(objects $<TARGET_OBJECTS:${target}_check>)
  if(arg_OPENCL)
    target_link_libraries(${target}_check PRIVATE course_opencl)
  endif()
  if(EXISTS ${folder}/naive.cu)
    add_library(${target}_naive OBJECT ${name}/naive.cu)
    course_set_up_kernels(${target}_naive ${name}/naive.cu)
    course_one_architecture_is_enough(${target}_naive)
    list(APPEND objects $<TARGET_OBJECTS:${target}_naive>)
  endif()
  # All that the student's file is linked with.
  add_dependencies(${target} ${target}_check course_exercise)
  if(TARGET ${target}_naive)
    add_dependencies(${target} ${target}_naive)
  endif()
  if(COURSE_BACKEND STREQUAL "emulator")
    add_dependencies(${target} emulator-compile)
  endif()
  course_libraries_called(called)
  foreach(library IN LISTS called)
    string(TOLOWER ${library} library)
    list(APPEND libraries ${course_exercise_${library}})
    if(TARGET emulator_${library})
      add_dependencies(${target} emulator_${library})
    endif()
  endforeach()
  if(arg_OPENCL)
    list(APPEND libraries ${OpenCL_LIBRARIES})
    course_json_list(compiler sh ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.sh ${CMAKE_CXX_COMPILER})
    set(compiler "   \"compiler\": ${compiler},\n")
  endif()
  if(COURSE_BACKEND STREQUAL "cuda" AND COURSE_CUDA_COMPILE_ONLY AND NOT arg_OPENCL)
    # Nothing can run: but what students compare with must compile; and, where it is known that nothing
    # has written in it, what they start from.
    course_compile_exercise(${target}_model ${PROJECT_SOURCE_DIR}/solutions/${name}/${file} ${folder})
    if(NOT "$ENV{COURSE_PRISTINE}" STREQUAL "")
      course_compile_exercise(${target}_stub ${folder}/${file} ${folder})
      # A stub declares what only its solution will use.
      target_compile_options(${target}_stub PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-diag-suppress=177>)
    endif()
  endif()
endmacro()

set(course_exercise_kinds build mend explain speed review)
set_property(GLOBAL PROPERTY course_exercises "")
function(course_add_exercise name)
  cmake_parse_arguments(arg "CUBLAS;CUTENSOR;OPENCL" "TITLE;KIND;POINTS" "NEEDS" ${ARGN})
  if(arg_OPENCL AND NOT TARGET course_opencl)
    return()
  endif()
  string(REGEX MATCH "^(([0-9][0-9])[a-z])_(.+)$" matched ${name})
  set(id ${CMAKE_MATCH_1})
  set(chapter ${CMAKE_MATCH_2})
  set(file ${CMAKE_MATCH_3}.cu)
  if(arg_OPENCL)
    set(file ${CMAKE_MATCH_3}.cl)
  endif()
  if(NOT matched OR NOT arg_TITLE OR NOT arg_KIND IN_LIST course_exercise_kinds OR NOT arg_POINTS)
    list(JOIN course_exercise_kinds "|" kinds)
    message(FATAL_ERROR "course_add_exercise(${name}): want NNx_name TITLE \"…\" KIND ${kinds} POINTS n")
  endif()
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  set(target exercise_${id})

  add_custom_target(${target} ALL)
  set(objects "")
  set(libraries "")
  set(compiler "")
  set(lacks "")
  if(arg_CUTENSOR AND NOT TARGET course_cutensor)
    set(lacks
        "exercise ${id} calls cuTENSOR, which is not here: get it by ./course cutensor, or take the emulator's by --backend emulator"
    )
  else()
    course_add_check_of_exercise()
  endif()
  add_dependencies(chapter${chapter} ${target})
  course_compile_if_drawn(exercises/${name} ${target} ${target}_check ${target}_naive ${target}_model ${target}_stub)

  # Its tests. The student's file is built by the first, on which the others depend.
  course_exercise_cases(cases ${folder}/check.cpp)
  set(prefix "chapter${chapter}.exercise ${id}: ")
  set(labels "chapter${chapter};exercises;${course_backend_label}")
  set(program ${CMAKE_BINARY_DIR}/exercises/${name}/check)
  add_test(NAME "${prefix}compiles" COMMAND course build-exercise ${id})
  set_tests_properties("${prefix}compiles" PROPERTIES LABELS "${labels}" FIXTURES_SETUP ${target}
                                                      SKIP_RETURN_CODE 77 TIMEOUT 120)
  set(tested ${cases})
  if(lacks)
    set(tested "")
  endif()
  foreach(case IN LISTS tested)
    # Through CMake, as ctest complains at length of programs that are not built yet.
    add_test(NAME "${prefix}${case}" COMMAND ${CMAKE_COMMAND} -E env ${program} "--test-case=${case}"
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(
      "${prefix}${case}" PROPERTIES LABELS "${labels}" FIXTURES_REQUIRED ${target}
                                    SKIP_RETURN_CODE 77 TIMEOUT 60)
  endforeach()

  course_exercise_points(case_points ${folder}/README.md ${arg_POINTS} ${cases})
  string(REPLACE ";" ", " case_points "${case_points}")
  set(grading "")
  if(arg_OPENCL)
    set(grading
        "   \"not_graded\": \"a driver compiles its kernels while they run, and would not fit into the sandbox; ./course check ${id} checks it\",\n"
    )
  elseif(COURSE_BACKEND STREQUAL "emulator")
    course_add_judge(${target} ${id} ${name} "${called}")
    course_json_list(boundary $<TARGET_OBJECTS:submission_${id}_boundary>)
    list(TRANSFORM course_exercise_libraries REPLACE "course_exercise>" "course_submission>"
                   OUTPUT_VARIABLE submission_libraries)
    course_json_list(submission_libraries ${libraries} ${submission_libraries})
    set(grading
        "   \"judge\": \"$<TARGET_FILE:judge_${id}>\", \"judge_target\": \"judge_${id}\",
   \"submission\": {\"objects\": ${boundary},
                  \"libraries\": ${submission_libraries}},\n")
  endif()

  course_json_list(cases_json ${cases})
  course_json_list(objects_json ${objects})
  course_json_list(libraries_json ${libraries} ${course_exercise_libraries})
  course_json_list(compile_json -I${folder})
  course_json_list(needs_json ${arg_NEEDS})
  foreach(library IN ITEMS cublas cutensor)
    string(TOUPPER ${library} word)
    set(${library} false)
    if(arg_${word})
      set(${library} true)
    endif()
  endforeach()
  set_property(
    GLOBAL APPEND_STRING PROPERTY course_exercises
    ",\n  {\"id\": \"${id}\", \"name\": \"${name}\", \"title\": \"${arg_TITLE}\", \"kind\": \"${arg_KIND}\",
   \"chapter\": \"${chapter}\", \"points\": ${arg_POINTS}, \"cublas\": ${cublas}, \"cutensor\": ${cutensor},
   \"needs\": ${needs_json}, \"lacks\": \"${lacks}\",
   \"folder\": \"${folder}\", \"file\": \"${file}\",
   \"solution\": \"${PROJECT_SOURCE_DIR}/solutions/${name}\", \"target\": \"${target}\",
   \"objects\": ${objects_json},
   \"libraries\": ${libraries_json},
   \"compile\": ${compile_json},
${compiler}${grading}   \"case_points\": [${case_points}],
   \"cases\": ${cases_json}}")
  if(NOT lacks)
    set_property(GLOBAL APPEND PROPERTY course_exercise_ids ${id})
    course_is_drawn(is_drawn solutions exercises/${name})
    if(is_drawn)
      set_property(GLOBAL APPEND PROPERTY course_proved_exercise_ids ${id})
    endif()
    if(NOT arg_OPENCL)
      set_property(GLOBAL APPEND PROPERTY course_graded_exercise_ids ${id})
    endif()
  endif()
endfunction()

# Writes the list of exercises that the course program reads. Called once, after the last exercise.
function(course_write_exercise_list)
  get_property(exercises GLOBAL PROPERTY course_exercises)
  string(REGEX REPLACE "^,\n" "" exercises "${exercises}")
  course_json_list(compile ${course_exercise_compile})
  course_json_list(link ${course_exercise_link})
  course_parts_json(parts)
  set(witness "")
  if(COURSE_BACKEND STREQUAL "emulator")
    set(witness
        " \"witness\": {\"folder\": \"${CMAKE_BINARY_DIR}/grading/witness\",
             \"script\": \"${PROJECT_SOURCE_DIR}/grading/witness/student.ld\"},\n")
  endif()
  file(
    GENERATE
    OUTPUT ${CMAKE_BINARY_DIR}/exercises.json
    CONTENT
      "{\"backend\": \"${COURSE_BACKEND}\",\n \"compile\": ${compile},\n \"link\": ${link},\n${witness} \"parts\": ${parts},\n \"exercises\": [\n${exercises}\n]}\n"
  )
endfunction()
