/// @file
/// The judge's side of the boundary: calls that are carried out in the submission's process, with
/// everything they leave behind brought back: the contents of device memory, errors, what the
/// emulator counted and found. So a check sees no difference. How they travel is the judge's:
/// grading/judge/forward.cpp.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace course::boundary {

/// An array of the host's that a function under test reads.
struct HostInput {
  const void* data;
  std::size_t bytes;
  bool is_opaque = false;  ///< host code may move its numbers, and sees tokens in their place
};
template <class T>
HostInput host_in(const T* data, int count) {
  return {data, count > 0 ? static_cast<std::size_t>(count) * sizeof(T) : 0};
}
/// The same of 4-byte numbers that only kernels are to compute with.
template <class T>
HostInput host_in_opaque(const T* data, int count) {
  static_assert(sizeof(T) == 4);
  HostInput array = host_in(data, count);
  array.is_opaque = true;
  return array;
}

/// An array of the host's that a function under test writes. While a function has one, host code in
/// the submission may not touch it, nor any array that goes in: only copies may. After the last
/// copy it may read them.
struct HostOutput {
  void* data;
  std::size_t bytes;
};
template <class T>
HostOutput host_out(T* data, int count) {
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

/// A call that did not come back as calls do: the submission's program has ended, or broke a rule.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call of a function of the submission's.
class RemoteCall {
 public:
  explicit RemoteCall(const char* function);
  ~RemoteCall();
  RemoteCall(const RemoteCall&) = delete;
  RemoteCall& operator=(const RemoteCall&) = delete;

  template <class T>
  void add(const T& value) {
    if constexpr (std::is_pointer_v<T>) {
      add_device(value);
    } else {
      add_value(&value, sizeof value);
    }
  }
  void add(const HostInput& array);
  void add(const HostOutput& array);
  void add(const Handle& handle);

  /// Sends the call and brings back what came of it; its result goes to `result`, of that many
  /// bytes.
  /// @throws course::Error if the function threw one; std::runtime_error if it threw anything else;
  ///         Interrupted if it could not be carried out
  void carry_out(void* result, std::size_t bytes);

 private:
  struct Message;

  void add_device(const void* pointer);
  void add_value(const void* value, std::size_t bytes);

  std::unique_ptr<Message> message_;
};

/// Calls a function of the submission's.
template <class Result, class... Arguments>
Result forward(const char* function, const Arguments&... arguments) {
  RemoteCall call(function);
  (call.add(arguments), ...);
  if constexpr (std::is_void_v<Result>) {
    call.carry_out(nullptr, 0);
  } else {
    Result result{};
    call.carry_out(&result, sizeof result);
    return result;
  }
}

}  // namespace course::boundary
