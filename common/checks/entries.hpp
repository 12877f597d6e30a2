/// @file
/// The submission's side of the boundary: the functions that can be called, and how. Their caller
/// is grading/judge/dispatch.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace course::boundary {

/// The arguments of a call, as they come.
class Arguments {
 public:
  /// What they are read from: the dispatcher's.
  struct Message;
  explicit Arguments(Message& message) : message_(message) {}

  /// The next one, for a parameter of type T. Throws what ends the submission if it is no such
  /// thing.
  template <class T>
  T next() {
    T value{};
    if constexpr (std::is_pointer_v<T>) {
      value = static_cast<T>(const_cast<void*>(next_pointer()));
    } else {
      std::memcpy(&value, next_value(sizeof value).data(), sizeof value);
    }
    return value;
  }

  /// The last one has been taken: the call begins.
  void end() const;

 private:
  const void* next_pointer();
  std::string_view next_value(std::size_t bytes);

  Message& message_;
};

/// Calls a function with the arguments of a message; returns the bytes of its result.
using Entry = std::function<std::vector<char>(Arguments&)>;

/// Enters a function in the list.
bool enter(const char* name, Entry entry);

template <class Result, class... Parameters>
bool enter(const char* name, Result (*function)(Parameters...)) {
  return enter(name, [function](Arguments& arguments) {
    // Braces: in the order in which they are.
    std::tuple<Parameters...> values{arguments.next<Parameters>()...};
    arguments.end();
    std::vector<char> bytes;
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, values);
    } else {
      const Result result = std::apply(function, values);
      bytes.resize(sizeof result);
      std::memcpy(bytes.data(), &result, sizeof result);
    }
    return bytes;
  });
}

/// From now on what a call has allocated and not freed is a finding when it returns.
bool want_memory_freed();

/// So much memory may be there at once that host and device share.
bool share_at_most(std::size_t bytes);

/// Where the submission's handle of a library comes from. Set by the file that knows the library.
using MakeHandle = void* (*)();
bool set_handle_maker(MakeHandle make);

}  // namespace course::boundary
