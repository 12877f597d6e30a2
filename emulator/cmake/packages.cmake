# The libraries that the emulator and its tests build on: the system's packages where they are installed, else a
# pinned release, checked against its hash. Nothing is fetched when the packages are there. Each function makes one
# of them known, the first time that it is called:
#
#   package_doctest()         doctest::doctest               tests
#   package_nlohmann_json()   nlohmann_json::nlohmann_json   reading and writing JSON
#   package_boost_context()   Boost::context                 fibers, where we have no switch of stacks of our own
#   package_openblas()        openblas                       cuBLAS, and with its LAPACK cuSOLVER
#   package_fftw()            the list EMULATOR_FFTW         cuFFT, where it is installed
#   package_boost_random()    EMULATOR_HAS_SOBOL_TABLE       cuRAND's quasirandom generators, where it is installed

include_guard(GLOBAL)
include(FetchContent)
option(EMULATOR_FETCH "Download libraries that are not installed (pinned releases, with hash)" ON)

function(package_may_fetch name package)
  if(NOT EMULATOR_FETCH)
    message(FATAL_ERROR "${name} is not installed and may not be fetched: install it (Debian, Ubuntu: ${package})")
  endif()
  message(STATUS "${name} is not installed (Debian, Ubuntu: ${package}); fetching a pinned release")
endfunction()

# A macro: doctest_discover_tests() must be known to the caller.
macro(package_doctest)
  find_package(doctest QUIET)
  if(doctest_FOUND)
    include(doctest)
  else()
    package_may_fetch(doctest doctest-dev)
    FetchContent_Declare(
      doctest
      URL https://github.com/doctest/doctest/archive/refs/tags/v2.4.11.tar.gz
      URL_HASH SHA256=632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186)
    set(DOCTEST_WITH_TESTS OFF)
    FetchContent_MakeAvailable(doctest)
    include(${doctest_SOURCE_DIR}/scripts/cmake/doctest.cmake)
  endif()
endmacro()

function(package_nlohmann_json)
  if(TARGET nlohmann_json::nlohmann_json)
    return()
  endif()
  find_package(nlohmann_json QUIET GLOBAL)
  if(nlohmann_json_FOUND)
    return()
  endif()
  package_may_fetch(nlohmann-json nlohmann-json3-dev)
  FetchContent_Declare(
    nlohmann_json
    URL https://github.com/nlohmann/json/releases/download/v3.11.3/include.zip
    URL_HASH SHA256=a22461d13119ac5c78f205d3df1db13403e58ce1bb1794edc9313677313f4a9d)
  FetchContent_MakeAvailable(nlohmann_json)
  add_library(nlohmann_json INTERFACE)
  # The archive holds either include/nlohmann or, its single top folder stripped, nlohmann itself.
  target_include_directories(
    nlohmann_json SYSTEM INTERFACE ${nlohmann_json_SOURCE_DIR}/include ${nlohmann_json_SOURCE_DIR}
                                   ${nlohmann_json_SOURCE_DIR}/..)
  add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json)
endfunction()

function(package_boost_context)
  if(TARGET Boost::context)
    return()
  endif()
  if(POLICY CMP0167)  # Boost's own description of itself, if it has one, in place of CMake's
    cmake_policy(SET CMP0167 NEW)
  endif()
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  find_package(Boost 1.70 QUIET COMPONENTS context)
  if(NOT Boost_FOUND)
    package_may_fetch(Boost.Context libboost-context-dev)
    FetchContent_Declare(
      Boost
      URL https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz
      URL_HASH SHA256=2e64e5d79a738d0fa6fb546c6e5c2bd28f88d268a2a080546f74e5ff98f29d0e)
    set(BOOST_INCLUDE_LIBRARIES context)
    FetchContent_MakeAvailable(Boost)
  endif()
endfunction()

# OpenBLAS as the target openblas, if the system has it. Distributions put its header into different folders, some
# beside another BLAS's header of the same name: what its own files say comes first.
function(find_openblas)
  if(TARGET openblas)
    return()
  endif()
  find_package(OpenBLAS QUIET)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(openblas_pc QUIET openblas)
  endif()
  find_path(
    OPENBLAS_INCLUDE_DIR cblas.h
    HINTS ${OpenBLAS_INCLUDE_DIRS} ${openblas_pc_INCLUDE_DIRS}
    PATH_SUFFIXES openblas openblas-pthread openblas-openmp openblas-serial)
  find_library(OPENBLAS_LIBRARY openblas HINTS ${openblas_pc_LIBRARY_DIRS})
  mark_as_advanced(OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY)
  if(OPENBLAS_INCLUDE_DIR AND OPENBLAS_LIBRARY)
    add_library(openblas UNKNOWN IMPORTED GLOBAL)
    set_target_properties(openblas PROPERTIES IMPORTED_LOCATION ${OPENBLAS_LIBRARY}
                                              INTERFACE_INCLUDE_DIRECTORIES ${OPENBLAS_INCLUDE_DIR})
  endif()
endfunction()

function(package_openblas)
  find_openblas()
  if(TARGET openblas)
    return()
  endif()
  package_may_fetch(OpenBLAS libopenblas-dev)
  FetchContent_Declare(
    openblas
    URL https://github.com/OpenMathLib/OpenBLAS/releases/download/v0.3.28/OpenBLAS-0.3.28.tar.gz
    URL_HASH SHA256=f1003466ad074e9b0c8d421a204121100b0751c96fc6fcf3d1456bd12f8a00a1)
  # Its CMakeLists.txt asks for a CMake older than these rules. The function keeps OpenBLAS's options, no tests
  # among it, from the rest of the build.
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  set(BUILD_STATIC_LIBS ON)
  set(BUILD_SHARED_LIBS OFF)
  set(NOFORTRAN ON)  # LAPACK comes in C, too
  set(NO_LAPACKE ON)
  set(BUILD_TESTING OFF)
  FetchContent_MakeAvailable(openblas)
  # Its target openblas is another name of openblas_static.
  target_include_directories(
    openblas_static SYSTEM
    INTERFACE $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}>)
endfunction()

# FFTW as the list EMULATOR_FFTW of its two libraries, by the names that programs ask for when they start; empty, with a
# line that says so, where the compiler does not find them. Its headers are not needed.
function(package_fftw)
  set(libraries "")
  foreach(name IN ITEMS libfftw3.so.3 libfftw3f.so.3)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name} OUTPUT_VARIABLE file
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${file}")
      message(STATUS "FFTW is not installed (Debian, Ubuntu: apt install libfftw3-double3 libfftw3-single3): "
                     "programs with cuFFT will not link, and its tests are left out")
      set(EMULATOR_FFTW "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND libraries ${file})
  endforeach()
  set(EMULATOR_FFTW ${libraries} PARENT_SCOPE)
endfunction()

# EMULATOR_HAS_SOBOL_TABLE: whether the compiler finds Boost.Random's table of Sobol's direction numbers, a header; where
# it does not, a line says so. Asked at each configuration, since the package may have come.
function(package_boost_random)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/sobol_table.cpp)
  file(WRITE ${source} "#include <boost/random/detail/sobol_table.hpp>\n"
                       "unsigned most = boost::random::detail::qrng_tables::sobol::max_dimension;\n")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -fsyntax-only ${source} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  set(EMULATOR_HAS_SOBOL_TABLE 1 PARENT_SCOPE)
  if(failed)
    message(STATUS "Boost.Random is not installed (Debian, Ubuntu: apt install libboost-dev): "
                   "cuRAND refuses quasirandom generators, and their tests are left out")
    set(EMULATOR_HAS_SOBOL_TABLE 0 PARENT_SCOPE)
  endif()
endfunction()
