# The libraries that the course builds on: the system's packages where they are installed, else a
# pinned release, checked against its hash. Nothing is fetched when the packages are there.
#
#   doctest         tests                                  all backends
#   CLI11           the course program's command line      all backends
#   nlohmann-json   reading and writing results            all backends
#   Boost.Context   the emulator's fibers                  emulator only

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
endif()
