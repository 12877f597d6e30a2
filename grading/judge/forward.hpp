/// @file
/// The judge's side of the boundary: calls that are carried out in the submission's process, with
/// everything they leave behind brought back: the contents of device memory, errors, what the
/// emulator counted and found. So a check sees no difference.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "judge/wire.hpp"

namespace course::grading {

/// An array of the host's that a function under test reads.
struct HostIn {
  const void* data;
  std::size_t bytes;
};
template <class T>
HostIn host_in(const T* data, int count) {
  return {data, count > 0 ? static_cast<std::size_t>(count) * sizeof(T) : 0};
}

/// An array of the host's that a function under test writes. While a function has one, neither it
/// nor any array that goes in may be touched by host code in the submission: only copies may.
struct HostOut {
  void* data;
  std::size_t bytes;
};
template <class T>
HostOut host_out(T* data, int count) {
  return {data, count > 0 ? static_cast<std::size_t>(count) * sizeof(T) : 0};
}

/// A library's handle: only whether there is one crosses the boundary.
struct Handle {
  bool is_there;
};
inline Handle handle(const void* library) {
  return {library != nullptr};
}

/// Allows functions of the API that copy between arrays of the device, or set them: by their names
/// without Async. What they move counts as traffic all the same.
bool allow_calls(std::initializer_list<const char*> names);

/// A call that is on its way.
class Call {
 public:
  explicit Call(const char* function);

  template <class T>
  void add(const T& value) {
    if constexpr (std::is_pointer_v<T>) {
      add_device(value);
    } else {
      message_.put(Argument::value);
      message_.put_bytes(&value, sizeof value);
    }
  }
  void add(const HostIn& array);
  void add(const HostOut& array);
  void add(const Handle& handle);

  /// Sends the call and brings back what came of it; its result goes to `result`, of so many bytes.
  /// @throws course::Error if the function threw one; another exception if it could not be carried
  ///         out, or threw that
  void carry_out(void* result, std::size_t bytes);

 private:
  void add_device(const void* pointer);

  std::string function_;
  Writer message_;
  std::vector<const void*> pointers_;
  std::vector<HostOut> outputs_;
};

/// Calls a function of the submission's.
template <class Result, class... Arguments>
Result forward(const char* function, const Arguments&... arguments) {
  Call call(function);
  (call.add(arguments), ...);
  if constexpr (std::is_void_v<Result>) {
    call.carry_out(nullptr, 0);
  } else {
    Result result{};
    call.carry_out(&result, sizeof result);
    return result;
  }
}

}  // namespace course::grading
