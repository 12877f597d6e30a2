#pragma once
/// \file
/// What the tests of the host-side API share.

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "emulator/findings.h"
#include "emulator/host/host_api.h"
#include "emulator/host/unmodelled.h"

template <>
struct doctest::StringMaker<cudaError> {
  static doctest::String convert(cudaError error) { return cudaGetErrorName(error); }
};

namespace host_test {

/// Much that these tests do is wrong on purpose.
inline const bool checks_are_off = [] {
  emulator::set_checking(false);
  return true;
}();

/// A device as new, and no error left over.
struct Fresh {
  Fresh() {
    cudaDeviceReset();
    cudaGetLastError();
  }
  ~Fresh() { cudaDeviceReset(); }
};

/// Device memory for the length of a scope.
class Block {
 public:
  explicit Block(std::size_t bytes) { REQUIRE(cudaMalloc(&data_, bytes) == cudaSuccess); }
  ~Block() { cudaFree(data_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  char* get() const { return data_; }

 private:
  char* data_ = nullptr;
};

struct ChildResult {
  int signal = 0;  ///< that ended it, or 0
  int status = 0;  ///< its exit status otherwise
  std::string error_output;
};

/// Runs the function in a child process, which ends with it.
template <class Function>
ChildResult in_child(Function function) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);  // doctest's handler would report a failed test
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    function();
    _exit(0);
  }
  close(ends[1]);
  ChildResult result;
  char buffer[256];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    result.error_output.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

inline constexpr auto bad_kind_below = static_cast<cudaMemcpyKind>(-1);
inline constexpr auto bad_kind_above = static_cast<cudaMemcpyKind>(5);
inline constexpr std::size_t huge = ~std::size_t{0};

}  // namespace host_test
