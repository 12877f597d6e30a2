#include "check.hpp"

#include <unistd.h>

#include <doctest/doctest.h>
#include <cstdio>
#include <string>

namespace another_library {

enum class Status { fine, sad };

}  // namespace another_library

// What a header does that brings another library under the macros.
namespace course::detail {

inline ErrorText error_text(another_library::Status) {
  return {"SAD", "very sad"};
}

}  // namespace course::detail

namespace {

cudaError_t give(cudaError_t status) {
  return status;
}

template <int First, int Second>
cudaError_t give_configuration_error() {
  return cudaErrorInvalidConfiguration;
}

/// The message of the error that the action throws; "" if it throws none.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const course::Error& error) {
    return error.what();
  }
  return "";
}

/// What the action prints on stderr.
template <class Action>
std::string printed_by(const Action& action) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  action();
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("CUDA_CHECK lets success pass and evaluates the call once") {
  int calls = 0;
  const auto call = [&] {
    ++calls;
    return cudaSuccess;
  };
  CHECK(message_of([&] { CUDA_CHECK(call()); }) == "");
  CHECK(calls == 1);
}

TEST_CASE("CUDA_CHECK names the call, the file without its folders, the line and the error") {
  const std::string line = std::to_string(__LINE__ + 1);
  const auto action = [] { CUDA_CHECK(give(cudaErrorMemoryAllocation)); };
  CHECK(message_of(action) == "give(cudaErrorMemoryAllocation) at check_test.cpp:" + line +
                                  ": cudaErrorMemoryAllocation (out of memory)");
}

TEST_CASE("CUDA_CHECK takes a call with commas in template arguments") {
  const std::string message = message_of([] { CUDA_CHECK(give_configuration_error<1, 2>()); });
  CHECK(message.starts_with("give_configuration_error<1, 2>() at check_test.cpp:"));
  CHECK(message.ends_with(": cudaErrorInvalidConfiguration (invalid configuration argument)"));
}

TEST_CASE("throwing prints nothing: whoever catches the error does") {
  CHECK(printed_by([] { message_of([] { CUDA_CHECK(give(cudaErrorMemoryAllocation)); }); }) == "");
}

TEST_CASE("CUDA_CHECK is one statement") {
  bool reached_else = false;
  const bool taken = give(cudaSuccess) != cudaSuccess;
  if (taken)
    CUDA_CHECK(give(cudaErrorMemoryAllocation));
  else
    reached_else = true;
  CHECK(reached_else);
}

TEST_CASE("CUDA_CHECK_LAUNCH reports the last error, once") {
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  const std::string line = std::to_string(__LINE__ + 1);
  const auto action = [] { CUDA_CHECK_LAUNCH(); };
  CHECK(message_of(action) ==
        "kernel launch at check_test.cpp:" + line + ": cudaErrorMemoryAllocation (out of memory)");
  CHECK(message_of(action) == "");
}

TEST_CASE("CUDA_WARN prints a line and goes on") {
  const std::string line = std::to_string(__LINE__ + 1);
  const auto action = []() noexcept { CUDA_WARN(give(cudaErrorMemoryAllocation)); };
  CHECK(printed_by(action) == "warning: give(cudaErrorMemoryAllocation) at check_test.cpp:" + line +
                                  ": cudaErrorMemoryAllocation (out of memory)\n");
  CHECK(printed_by([] { CUDA_WARN(give(cudaSuccess)); }) == "");
}

TEST_CASE("an overload of error_text puts another library under the macros") {
  CHECK(message_of([] { CUDA_CHECK(another_library::Status::fine); }) == "");
  CHECK(message_of([] { CUDA_CHECK(another_library::Status::sad); }).ends_with(": SAD (very sad)"));
}

TEST_CASE("however long the call is, the message ends with what failed") {
  const std::string call(5000, 'x');
  try {
    course::detail::fail(call.c_str(), "a.cu", 7, {"cudaErrorMemoryAllocation", "out of memory"});
  } catch (const course::Error& error) {
    const std::string text = error.what();
    CHECK(text.find("xxx at a.cu:7: cudaErrorMemoryAllocation (out of memory)") ==
          text.size() -
              std::string("xxx at a.cu:7: cudaErrorMemoryAllocation (out of memory)").size());
  }
}

TEST_CASE("base_name drops folders of either kind") {
  CHECK(std::string(course::detail::base_name("a/b/c.cu")) == "c.cu");
  CHECK(std::string(course::detail::base_name("c.cu")) == "c.cu");
  CHECK(std::string(course::detail::base_name("a\\c.cu")) == "c.cu");
}
