#pragma once
/// \file
/// A call of the emulator's cuTENSOR. The first thing that stands against it decides what is
/// returned, is said on stderr and logged, and makes the checks that follow do nothing.

#include <initializer_list>
#include <memory>
#include <string>

#include "libraries/common/device_work.hpp"
#include "libraries/cutensor/objects.hpp"

namespace emulator::cutensor {

using namespace libraries;

class TensorCall {
 public:
  struct Pointer {
    const char* name;
    const void* value;
  };

  /// A call without a handle, and one with.
  explicit TensorCall(const char* function);
  TensorCall(const char* function, cutensorHandle_t handle);

  bool ok() const { return status_ == CUTENSOR_STATUS_SUCCESS; }
  cutensorStatus_t status() const { return status_; }
  const char* function() const { return function_; }

  void refuse(cutensorStatus_t status, const std::string& reason);
  void invalid(const std::string& reason) { refuse(CUTENSOR_STATUS_INVALID_VALUE, reason); }
  void not_supported(const std::string& reason) { refuse(CUTENSOR_STATUS_NOT_SUPPORTED, reason); }
  void not_null(std::initializer_list<Pointer> pointers);

  /// What a descriptor stands for. Never null while the call goes on.
  template <class Live, class Descriptor>
  auto object(const char* name, Descriptor descriptor) {
    not_null({{name, descriptor}});
    auto found = Live::get().find(descriptor);
    if (ok() && !found) {
      refuse(CUTENSOR_STATUS_NOT_INITIALIZED,
             std::string(name) + " does not exist, or no longer does");
    }
    return found;
  }

 private:
  const char* function_;
  cutensorStatus_t status_ = CUTENSOR_STATUS_SUCCESS;
};

/// The bits of cutensorLoggerSetMask().
enum class LogBit : int { error = 1, call = 16 };
void log_tensor_call(LogBit bit, const char* function, const std::string& message);

}  // namespace emulator::cutensor
