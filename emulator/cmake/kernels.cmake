# How sources with kernels are compiled: by g++, behind emulator-compile, which translates what C++ cannot parse.
#
#   emulator_add_program(target [FAST] [QUICKLY] source.cu …)      a program with kernels
#   emulator_compile_kernels(target [FAST] [QUICKLY] source.cu …)  the part of it that an object library needs, too
#
# Included where they are needed, after the emulator's own folder. Kernels are *instrumented*, unless FAST is given:
# every access is reported to the emulator, which counts and checks it. A *fast* program has none of that, and g++
# optimises. QUICKLY is for tests, which run once for each time that they are compiled.

include(${CMAKE_CURRENT_LIST_DIR}/forwarding_headers.cmake)

set(emulator_compile ${CMAKE_BINARY_DIR}/emulator/emulator-compile)
# -Og keeps each access of the source one access of the machine, and gdb honest.
set(emulator_instrumented_flags -Og -g)
# emucc also passes these, with -g where it is asked for (emulator/compiler/nvcc/build.cpp says why).
set(emulator_fast_flags -O2 -g1 -fno-strict-aliasing -fwrapv -fno-delete-null-pointer-checks)
# Most of what g++ does for a test is to optimise it, and to describe its types and variables to a debugger. Reports
# name lines, and -g1 has them.
set(emulator_quick_flags -Og -g1)

# What a program is linked with besides the emulator itself, for those who link by hand.
set(emulator_runtime_libraries "")
if(TARGET Boost::context)
  list(APPEND emulator_runtime_libraries $<TARGET_LINKER_FILE:Boost::context>)
endif()
if(EMULATOR_HAS_BACKTRACE)
  list(APPEND emulator_runtime_libraries -lbacktrace)
else()
  list(APPEND emulator_runtime_libraries $<TARGET_FILE:emulator_backtrace>)
endif()
list(APPEND emulator_runtime_libraries -lpthread -ldl)

function(emulator_add_program target)
  cmake_parse_arguments(arg "FAST;QUICKLY" "" "" ${ARGN})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  emulator_compile_kernels(${target} ${ARGN})
endfunction()

function(emulator_compile_kernels target)
  cmake_parse_arguments(arg "FAST;QUICKLY" "" "" ${ARGN})
  set_source_files_properties(${arg_UNPARSED_ARGUMENTS} PROPERTIES LANGUAGE CXX OBJECT_DEPENDS ${emulator_compile})
  # What is before the compiler of everything else, if anything does.
  set(launcher ${dependency_launcher} ${emulator_compile})
  if(arg_FAST)
    list(APPEND launcher --emulator-fast)
    target_compile_options(${target} PRIVATE ${emulator_fast_flags})
  else()
    target_compile_options(${target} PRIVATE ${emulator_instrumented_flags})
  endif()
  if(arg_QUICKLY)
    # Of two such options g++ takes the last.
    target_compile_options(${target} PRIVATE ${emulator_quick_flags})
  endif()
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
  target_link_libraries(${target} PRIVATE emulator)
  add_dependencies(${target} emulator-compile)
endfunction()
