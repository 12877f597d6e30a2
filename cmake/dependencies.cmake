# The libraries that the course builds on: the system's packages where they are installed, else a
# pinned release, checked against its hash. Nothing is fetched when the packages are there.
#
#   doctest         tests                                  all backends
#   CLI11           the course program's command line      all backends
#   nlohmann-json   reading and writing results            all backends
#   Boost.Context   the emulator's fibers                  emulator only
#   libbacktrace    from machine code to lines             emulator only; g++ brings it on most systems
#   OpenBLAS        the emulator's cuBLAS                  emulator only
#                   what the CPU is measured against       all backends, where it is installed

include(FetchContent)
option(COURSE_FETCH "Download libraries that are not installed (pinned releases, with hash)" ON)

function(course_may_fetch name package)
  if(NOT COURSE_FETCH)
    message(
      FATAL_ERROR
        "${name} is not installed and COURSE_FETCH is OFF: install it (Debian, Ubuntu: ${package})")
  endif()
  message(STATUS "${name} is not installed (Debian, Ubuntu: ${package}); fetching a pinned release")
endfunction()

find_package(Threads REQUIRED)

find_package(doctest QUIET)
if(doctest_FOUND)
  include(doctest)
else()
  course_may_fetch(doctest doctest-dev)
  FetchContent_Declare(
    doctest
    URL https://github.com/doctest/doctest/archive/refs/tags/v2.4.11.tar.gz
    URL_HASH SHA256=632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186)
  set(DOCTEST_WITH_TESTS OFF)
  FetchContent_MakeAvailable(doctest)
  include(${doctest_SOURCE_DIR}/scripts/cmake/doctest.cmake)
endif()

find_package(CLI11 QUIET)
if(NOT CLI11_FOUND)
  course_may_fetch(CLI11 libcli11-dev)
  FetchContent_Declare(
    cli11
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
    URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
  FetchContent_MakeAvailable(cli11)
endif()

find_package(nlohmann_json QUIET)
if(NOT nlohmann_json_FOUND)
  course_may_fetch(nlohmann-json nlohmann-json3-dev)
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
endif()

if(COURSE_BACKEND STREQUAL "emulator")
  find_package(Boost 1.70 QUIET COMPONENTS context)
  if(NOT Boost_FOUND)
    course_may_fetch(Boost.Context libboost-context-dev)
    FetchContent_Declare(
      Boost
      URL https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz
      URL_HASH SHA256=2e64e5d79a738d0fa6fb546c6e5c2bd28f88d268a2a080546f74e5ff98f29d0e)
    set(BOOST_INCLUDE_LIBRARIES context)
    FetchContent_MakeAvailable(Boost)
  endif()
  include(backtrace)
endif()

# OpenBLAS as the target course_openblas. Distributions put its header into different folders, some
# beside another BLAS's header of the same name: what its own files say comes first.
function(course_find_openblas)
  find_package(OpenBLAS QUIET)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(course_openblas_pc QUIET openblas)
  endif()
  find_path(
    COURSE_OPENBLAS_INCLUDE_DIR cblas.h
    HINTS ${OpenBLAS_INCLUDE_DIRS} ${course_openblas_pc_INCLUDE_DIRS}
    PATH_SUFFIXES openblas openblas-pthread openblas-openmp openblas-serial)
  find_library(COURSE_OPENBLAS_LIBRARY openblas HINTS ${course_openblas_pc_LIBRARY_DIRS})
  mark_as_advanced(COURSE_OPENBLAS_INCLUDE_DIR COURSE_OPENBLAS_LIBRARY)
  if(COURSE_OPENBLAS_INCLUDE_DIR AND COURSE_OPENBLAS_LIBRARY)
    add_library(course_openblas UNKNOWN IMPORTED GLOBAL)
    set_target_properties(
      course_openblas
      PROPERTIES IMPORTED_LOCATION ${COURSE_OPENBLAS_LIBRARY}
                 INTERFACE_INCLUDE_DIRECTORIES ${COURSE_OPENBLAS_INCLUDE_DIR})
  endif()
endfunction()

# The function keeps what OpenBLAS is told, no tests among it, from the rest of the build.
function(course_fetch_openblas)
  course_may_fetch(OpenBLAS libopenblas-dev)
  FetchContent_Declare(
    openblas
    URL https://github.com/OpenMathLib/OpenBLAS/releases/download/v0.3.28/OpenBLAS-0.3.28.tar.gz
    URL_HASH SHA256=f1003466ad074e9b0c8d421a204121100b0751c96fc6fcf3d1456bd12f8a00a1)
  # Its CMakeLists.txt asks for a CMake older than these rules.
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  set(BUILD_STATIC_LIBS ON)
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_SINGLE ON)
  set(BUILD_DOUBLE ON)
  set(BUILD_WITHOUT_LAPACK ON)
  set(NOFORTRAN ON)
  set(BUILD_TESTING OFF)
  FetchContent_MakeAvailable(openblas)
  add_library(course_openblas INTERFACE)
  target_link_libraries(course_openblas INTERFACE openblas_static)
  target_include_directories(course_openblas SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/generated
                                                              ${CMAKE_BINARY_DIR})
endfunction()

course_find_openblas()
if(COURSE_BACKEND STREQUAL "emulator" AND NOT TARGET course_openblas)
  course_fetch_openblas()
endif()
