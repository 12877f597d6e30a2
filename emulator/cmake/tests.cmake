# How tests enter the build.
#
#   add_test_program(target [PREFIX p] LABELS … SOURCES … [LIBRARIES …] [DEFINITIONS …] [PROPERTIES …])
#       a program of doctest cases, in C++
#   add_test_cases(target [PREFIX p] LABELS … [PROPERTIES …])
#       makes each case of a program that exists a test of ctest, named prefix + case
#   add_script_test(name LABELS … COMMAND … [CONFIGURATIONS c] [PROPERTIES …])
#   add_python_test(…)
#       a test that is a command, or a script in Python; without Python there is no such test
#
# A test that does not find what it needs (a GPU, say) exits with 77 and counts as skipped. A case of a program fails
# after five minutes, unless its properties give it another TIMEOUT.

include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)  # what is compiled together

# Warnings of ours. They are errors where that is asked for (CI, maintainers), never for a user, whose compiler may
# know others; and then the checks of the C library are also on, as Ubuntu's g++ has them by itself.
option(EMULATOR_WERROR "Treat warnings in our own code as errors" OFF)
set(our_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(EMULATOR_WERROR)
  list(APPEND our_warnings -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
# For code that is in no hurry but to be compiled. (With -O0 the C library's checks are not to be had.)
set(quickly_compiled -Og)
# For tests alone, whose own code need not be fast.
set(compiled_as_test -O0 -U_FORTIFY_SOURCE)

find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND)
  # The interpreter itself. What may be before it (pyenv's python3 is a script) takes a tenth of a second each time.
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
    OUTPUT_VARIABLE interpreter
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS "${interpreter}")
    set(Python3_EXECUTABLE "${interpreter}")
  endif()
endif()

if(NOT TARGET doctest_main)
  add_library(doctest_main STATIC ${CMAKE_CURRENT_LIST_DIR}/doctest_main.cpp)
  target_link_libraries(doctest_main PUBLIC doctest::doctest)
  # What nearly every test includes is read once for all of them.
  if(compiled_together)
    add_library(headers_of_tests OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/headers_of_tests.cpp)
    target_link_libraries(headers_of_tests PRIVATE doctest::doctest)
    target_compile_options(headers_of_tests PRIVATE ${our_warnings} ${compiled_as_test})
    target_precompile_headers(
      headers_of_tests PRIVATE <algorithm> <array> <cstdint> <cstdio> <cstring> <doctest/doctest.h> <filesystem> <functional>
      <map> <memory> <optional> <random> <set> <sstream> <string> <string_view> <thread> <utility> <vector>)
  endif()
endif()

# In seconds. The longest cases take some 10 s on a machine that does little else. Threads that wait
# for each other forever would otherwise hold up a suite until ctest's own limit, which is 1500 s.
set(time_limit_of_cases 300)

function(add_test_program target)
  cmake_parse_arguments(arg "" "PREFIX" "LABELS;SOURCES;LIBRARIES;DEFINITIONS;PROPERTIES" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} doctest_main)
  target_compile_options(${target} PRIVATE ${our_warnings} ${compiled_as_test})
  if(TARGET headers_of_tests)
    target_precompile_headers(${target} REUSE_FROM headers_of_tests)
  endif()
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  add_test_cases(${target} PREFIX "${arg_PREFIX}" LABELS ${arg_LABELS} PROPERTIES ${arg_PROPERTIES})
endfunction()

function(add_test_cases target)
  cmake_parse_arguments(arg "" "PREFIX" "LABELS;PROPERTIES" ${ARGN})
  doctest_discover_tests(${target} TEST_PREFIX "${arg_PREFIX}" TEST_LIST ${target}_cases)
  # doctest's script loses all labels but one, so they are set afterwards.
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_properties.cmake)
  string(REPLACE ";" " " properties "${arg_PROPERTIES}")
  file(
    WRITE ${file}
    "if(${target}_cases)\n"
    "  set_tests_properties(\${${target}_cases} PROPERTIES LABELS \"${arg_LABELS}\" SKIP_RETURN_CODE 77\n"
    "    TIMEOUT ${time_limit_of_cases} SKIP_REGULAR_EXPRESSION \"MESSAGE: SKIPPED: \" ${properties})\n"
    "endif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()

function(add_script_test name)
  cmake_parse_arguments(arg "" "CONFIGURATIONS" "LABELS;COMMAND;PROPERTIES" ${ARGN})
  set(configurations "")
  if(arg_CONFIGURATIONS)
    set(configurations CONFIGURATIONS ${arg_CONFIGURATIONS})
  endif()
  add_test(NAME "${name}" ${configurations} COMMAND ${arg_COMMAND})
  set_tests_properties("${name}" PROPERTIES LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77 ${arg_PROPERTIES})
endfunction()

function(add_python_test name)
  if(NOT Python3_FOUND)
    return()
  endif()
  cmake_parse_arguments(arg "" "CONFIGURATIONS" "LABELS;COMMAND;PROPERTIES" ${ARGN})
  add_script_test(
    "${name}"
    LABELS ${arg_LABELS}
    COMMAND ${Python3_EXECUTABLE} -B ${arg_COMMAND}
    CONFIGURATIONS ${arg_CONFIGURATIONS}
    PROPERTIES ${arg_PROPERTIES})
endfunction()
