#pragma once
/// \file
/// A library's call in a stream that is being captured: it becomes a node that makes the call
/// again.
///
/// So the call is made twice and more. The first time it only checks its arguments, up to where its
/// work would begin, and keeps the numbers that it is given on the host, as they may be gone later.
/// Each launch of the graph repeats it with these.

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "emulator/host/host_types.h"
#include "libraries/common/runtime.hpp"
#include "streams/order.hpp"

namespace emulator::libraries {

class CapturedCall {
 public:
  /// What this thread makes of a library's call now: null for the work itself.
  static CapturedCall* here();

  bool repeats() const { return repeats_; }
  bool is_noted() const { return is_noted_; }

  /// The work would begin: the stream is one that is captured.
  void note(cudaStream_t stream, const char* function) {
    is_noted_ = true;
    stream_ = stream;
    function_ = function;
  }
  /// What the library's handle remembered then.
  void keep_context(std::shared_ptr<const void> context) { context_ = std::move(context); }
  const void* context() const { return context_.get(); }

  template <class T>
  void keep(const T* pointer) {
    static_assert(sizeof(T) <= sizeof(Number));
    std::memcpy(numbers_[pointer].data(), pointer, sizeof(T));
  }
  template <class T>
  T kept(const T* pointer) const {
    T value{};
    const auto found = numbers_.find(pointer);
    if (found != numbers_.end()) {
      std::memcpy(static_cast<void*>(&value), found->second.data(), sizeof(T));
    }
    return value;
  }

  /// While one lives, that is what this thread makes of calls.
  class Scope {
   public:
    explicit Scope(CapturedCall& call);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    CapturedCall* const before_;
  };

  /// Makes the call a node, which repeats it by `repeat`.
  cudaError_t capture(std::function<void()> repeat) const;

 private:
  using Number = std::array<std::byte, 16>;

  bool repeats_ = false;
  bool is_noted_ = false;
  cudaStream_t stream_ = nullptr;
  const char* function_ = "";
  std::shared_ptr<const void> context_;
  std::map<const void*, Number> numbers_;
};

/// Makes a library's call, `body`; or if its stream is being captured, a node. Whatever returns a
/// status, with 0 for success, can be it.
/// \param failed what is returned if it cannot become one
/// \param make_repeat makes of the call what a launch repeats: no reference to what may be gone
template <class Status, class Body, class MakeRepeat>
Status capturable(Status failed, Body body, MakeRepeat make_repeat) {
  if (is_straight_through() || CapturedCall::here() != nullptr) return body();
  CapturedCall call;
  Status status{};
  {
    const CapturedCall::Scope scope(call);
    status = body();
  }
  if (!call.is_noted() || status != Status{}) return status;
  return call.capture(make_repeat()) == cudaSuccess ? status : failed;
}

}  // namespace emulator::libraries
