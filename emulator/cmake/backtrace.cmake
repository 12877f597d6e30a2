# libbacktrace as the target emulator_backtrace. Debian and Ubuntu ship it inside g++'s own package; on
# other systems it is fetched and built here, since it comes without CMake files.
include(CheckCXXSourceCompiles)

set(CMAKE_REQUIRED_LIBRARIES backtrace)
check_cxx_source_compiles(
  "#include <backtrace.h>
  int main() { return backtrace_create_state(nullptr, 1, nullptr, nullptr) == nullptr; }"
  EMULATOR_HAS_BACKTRACE)
unset(CMAKE_REQUIRED_LIBRARIES)

if(EMULATOR_HAS_BACKTRACE)
  add_library(emulator_backtrace INTERFACE)
  target_link_libraries(emulator_backtrace INTERFACE backtrace)
  return()
endif()

package_may_fetch(libbacktrace "libgcc-12-dev, or that of your g++")
enable_language(C)
FetchContent_Declare(
  libbacktrace
  GIT_REPOSITORY https://github.com/ianlancetaylor/libbacktrace.git
  GIT_TAG 5f4a6d4941de23180e7c412cc9ddf5ce440e3829)
FetchContent_MakeAvailable(libbacktrace)
set(folder ${CMAKE_BINARY_DIR}/libbacktrace)
# What its configure script would find out on a 64-bit Linux; compressed debug information is not read.
file(
  WRITE ${folder}/config.h
  "#define _GNU_SOURCE 1\n#define _POSIX_SOURCE 1\n#define BACKTRACE_ELF_SIZE 64\n"
  "#define HAVE_ATOMIC_FUNCTIONS 1\n#define HAVE_SYNC_FUNCTIONS 1\n#define HAVE_DL_ITERATE_PHDR 1\n"
  "#define HAVE_DECL_STRNLEN 1\n#define HAVE_DECL_GETPAGESIZE 1\n#define HAVE_FCNTL 1\n"
  "#define HAVE_LINK_H 1\n#define HAVE_LSTAT 1\n#define HAVE_READLINK 1\n"
  "#define HAVE_DECL__PGMPTR 0\n")
file(
  WRITE ${folder}/backtrace-supported.h
  "#define BACKTRACE_SUPPORTED 1\n#define BACKTRACE_USES_MALLOC 0\n"
  "#define BACKTRACE_SUPPORTS_THREADS 1\n#define BACKTRACE_SUPPORTS_DATA 1\n")
set(sources atomic backtrace dwarf elf fileline mmap mmapio posix print simple sort state)
list(TRANSFORM sources PREPEND ${libbacktrace_SOURCE_DIR}/)
list(TRANSFORM sources APPEND .c)
add_library(emulator_backtrace STATIC ${sources})
target_include_directories(
  emulator_backtrace
  PRIVATE ${folder}
  SYSTEM PUBLIC ${libbacktrace_SOURCE_DIR})
