# The libraries that the course builds on: the system's packages where they are installed, else a pinned release,
# checked against its hash. Nothing is fetched when the packages are there. Those that the emulator
# also needs are in emulator/cmake/packages.cmake.
#
#   doctest         tests
#   CLI11           the course program's command line
#   nlohmann-json   reading and writing results
#   OpenBLAS        what the CPU is measured against, where it is installed
#   OpenCL          chapter 18, where its headers, opencl.hpp among them, and a library to link are installed

option(COURSE_FETCH "Download libraries that are not installed (pinned releases, with hash)" ON)
set(EMULATOR_FETCH ${COURSE_FETCH})
include(${PROJECT_SOURCE_DIR}/emulator/cmake/packages.cmake)

find_package(Threads REQUIRED)
package_doctest()
package_nlohmann_json()
find_openblas()

# OpenCL as the target course_opencl. -DOpenCL_INCLUDE_DIR=FOLDER and -DOpenCL_LIBRARY=FILE say where it is, if not
# where systems have it: a driver may have brought libOpenCL.so.1 and nothing else.
find_package(OpenCL QUIET)
find_path(COURSE_OPENCL_HPP CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
mark_as_advanced(COURSE_OPENCL_HPP)
if(OpenCL_FOUND AND COURSE_OPENCL_HPP)
  add_library(course_opencl INTERFACE)
  target_include_directories(course_opencl SYSTEM INTERFACE ${COURSE_OPENCL_HPP})
  target_link_libraries(course_opencl INTERFACE OpenCL::OpenCL)
endif()

find_package(CLI11 QUIET)
if(NOT CLI11_FOUND)
  package_may_fetch(CLI11 libcli11-dev)
  FetchContent_Declare(
    cli11
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
    URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
  FetchContent_MakeAvailable(cli11)
endif()
