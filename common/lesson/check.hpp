/// @file
/// Checks CUDA calls and kernel launches: an error becomes an exception that names the call, the
/// place, and CUDA's own name and text for the error.
///
///     CUDA_CHECK(cudaMalloc(&x, bytes));   // every call that returns a status
///     kernel<<<grid, block>>>(x);
///     CUDA_CHECK_LAUNCH();                 // a launch returns nothing: check it afterwards
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <exception>

namespace course {

/// A CUDA call or a launch that failed. what() reads
/// `cudaMalloc(&x, bytes) at global.cu:42: cudaErrorMemoryAllocation (out of memory)`.
/// Nothing is printed when it is thrown; the code that catches it does that, once.
///
/// It does not use std::string: every program of the course includes this header, and a small one
/// would take twice as long to compile.
class Error : public std::exception {
 public:
  explicit Error(const char* text) noexcept { append(text, sizeof(text_)); }
  const char* what() const noexcept override { return text_; }

  /// Adds a text, or its first `most` characters; 1023 are kept in total.
  Error& append(const char* text, std::size_t most = 200) noexcept {
    for (; *text != '\0' && most > 0 && length_ + 1 < sizeof(text_); --most) {
      text_[length_++] = *text++;
    }
    return *this;
  }
  /// Adds a number.
  Error& append(int number) noexcept {
    if (number >= 10) append(number / 10);
    const char digit[] = {static_cast<char>('0' + number % 10), '\0'};
    return append(digit);
  }

 private:
  char text_[1024] = {};
  std::size_t length_ = 0;
};

namespace detail {

/// A library's name and text for one of its errors. Both strings live as long as the program.
struct ErrorText {
  const char* name;
  const char* text;
};

/// One overload per status type: the header that brings in another CUDA library adds its own here,
/// and the macros below then check that library's calls too.
inline ErrorText error_text(cudaError_t status) {
  return {cudaGetErrorName(status), cudaGetErrorString(status)};
}

/// The compiler may put a long path in __FILE__; the file's own name is what a reader looks for.
inline const char* base_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path) {
    if (*path == '/' || *path == '\\') name = path + 1;
  }
  return name;
}

/// Throws the Error for a failed call. However long the call's text is, the error stays readable.
[[noreturn]] inline void fail(const char* call, const char* file, int line, ErrorText error) {
  Error all("");
  all.append(call, 400).append(" at ").append(base_name(file)).append(":").append(line);
  all.append(": ").append(error.name).append(" (").append(error.text).append(")");
  throw Error(all);
}

/// Prints the same text as a warning. It allocates nothing, so it cannot throw.
inline void warn(const char* call, const char* file, int line, ErrorText error) noexcept {
  std::fprintf(stderr, "warning: %s at %s:%d: %s (%s)\n", call, base_name(file), line, error.name,
               error.text);
}

}  // namespace detail
}  // namespace course

// These are macros because only a macro can show the text of the call. `...` lets a call contain
// commas outside parentheses, as in CUDA_CHECK(copy<float, 4>(x)). Success is 0 in every CUDA
// library, which is what `decltype(course_status){}` is.
#define COURSE_DETAIL_ON_ERROR(action, text, ...)                                                  \
  do {                                                                                             \
    const auto course_status = (__VA_ARGS__);                                                      \
    if (course_status != decltype(course_status){})                                                \
      course::detail::action(text, __FILE__, __LINE__, course::detail::error_text(course_status)); \
  } while (false)

/// Evaluates a call once; throws course::Error if its status is an error.
#define CUDA_CHECK(...) COURSE_DETAIL_ON_ERROR(fail, #__VA_ARGS__, __VA_ARGS__)

/// Throws course::Error if the last launch (or an earlier, unchecked one) failed. It does not wait:
/// an error while the kernel runs appears at the next call that synchronises.
#define CUDA_CHECK_LAUNCH() COURSE_DETAIL_ON_ERROR(fail, "kernel launch", cudaGetLastError())

/// Like CUDA_CHECK, but prints a warning and continues: for destructors, which must not throw.
#define CUDA_WARN(...) COURSE_DETAIL_ON_ERROR(warn, #__VA_ARGS__, __VA_ARGS__)
