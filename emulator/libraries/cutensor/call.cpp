#include "libraries/cutensor/call.hpp"

#include <cstdio>

namespace emulator::cutensor {

TensorCall::TensorCall(const char* function) : function_(function) {
  log_tensor_call(LogBit::call, function, "");
}

TensorCall::TensorCall(const char* function, cutensorHandle_t handle) : TensorCall(function) {
  object<LiveHandles>("the handle", handle);
}

void TensorCall::refuse(cutensorStatus_t status, const std::string& reason) {
  if (!ok()) return;
  status_ = status;
  std::fprintf(stderr, "emulator: %s: %s\n", function_, reason.c_str());
  log_tensor_call(LogBit::error, function_, reason);
}

void TensorCall::not_null(std::initializer_list<Pointer> pointers) {
  for (const Pointer& pointer : pointers) {
    if (pointer.value == nullptr) invalid(std::string(pointer.name) + " is a null pointer");
  }
}

}  // namespace emulator::cutensor
