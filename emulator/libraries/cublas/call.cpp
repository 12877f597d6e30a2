#include "libraries/cublas/call.hpp"

#include <cstdio>

#include "graphs/capture.hpp"
#include "streams/untrusted_host.hpp"

namespace emulator::cublas {
namespace {

// `trans is 9, no cublasOperation_t`
std::string unknown(const char* name, int value, const char* type) {
  return name + (" is " + std::to_string(value) + ", no ") + type + " for this function";
}

// A value of an enumeration for the log: its name, or what number it is.
std::string name_of(int value, std::initializer_list<const char*> names) {
  const bool is_known = value >= 0 && static_cast<std::size_t>(value) < names.size();
  return is_known ? names.begin()[value] : std::to_string(value);
}

}  // namespace

Call::Call(const char* function, cublasHandle_t handle) : function_(function), work_(function) {
  const CapturedCall* const captured = CapturedCall::here();
  repeats_ = captured != nullptr && captured->repeats();
  if (repeats_) {
    context_ = *static_cast<const CublasContext*>(captured->context());
    is_logged_ = false;
  } else {
    context_ = find_context(handle);
  }
  if (!context_) status_ = CUBLAS_STATUS_NOT_INITIALIZED;
}

Call::~Call() {
  if (!is_logged_) return;
  // The log may call the program, which then must not find device memory open.
  work_.end();
  log_call(function_, arguments_, status_);
}

void Call::note(const char* name, const std::string& value) {
  if (is_logged_) arguments_ += (arguments_.empty() ? "" : ", ") + (name + ("=" + value));
}

void Call::refuse(cublasStatus_t status, const std::string& reason) {
  if (!ok()) return;
  status_ = status;
  std::fprintf(stderr, "emulator: %s: %s\n", function_, reason.c_str());
}

void Call::at_least(const char* name, std::int64_t value, std::int64_t least) {
  note(name, std::to_string(value));
  if (value >= least) return;
  refuse(CUBLAS_STATUS_INVALID_VALUE, name + (" is " + std::to_string(value)) +
                                          ", but must be at least " + std::to_string(least));
}

void Call::increment(const char* name, std::int64_t value) {
  note(name, std::to_string(value));
  if (value == 0) refuse(CUBLAS_STATUS_INVALID_VALUE, std::string(name) + " is 0");
}

void Call::operation(const char* name, cublasOperation_t value) {
  note(name, name_of(value, {"CUBLAS_OP_N", "CUBLAS_OP_T", "CUBLAS_OP_C", "CUBLAS_OP_CONJG"}));
  if (value == CUBLAS_OP_N || value == CUBLAS_OP_T || value == CUBLAS_OP_C) return;
  refuse(CUBLAS_STATUS_INVALID_VALUE, unknown(name, value, "cublasOperation_t"));
}

void Call::fill_mode(const char* name, cublasFillMode_t value) {
  note(name, name_of(value, {"CUBLAS_FILL_MODE_LOWER", "CUBLAS_FILL_MODE_UPPER"}));
  if (value == CUBLAS_FILL_MODE_LOWER || value == CUBLAS_FILL_MODE_UPPER) return;
  refuse(CUBLAS_STATUS_INVALID_VALUE, unknown(name, value, "cublasFillMode_t"));
}

void Call::side(const char* name, cublasSideMode_t value) {
  note(name, name_of(value, {"CUBLAS_SIDE_LEFT", "CUBLAS_SIDE_RIGHT"}));
  if (value == CUBLAS_SIDE_LEFT || value == CUBLAS_SIDE_RIGHT) return;
  refuse(CUBLAS_STATUS_INVALID_VALUE, unknown(name, value, "cublasSideMode_t"));
}

void Call::diagonal(const char* name, cublasDiagType_t value) {
  note(name, name_of(value, {"CUBLAS_DIAG_NON_UNIT", "CUBLAS_DIAG_UNIT"}));
  if (value == CUBLAS_DIAG_NON_UNIT || value == CUBLAS_DIAG_UNIT) return;
  refuse(CUBLAS_STATUS_INVALID_VALUE, unknown(name, value, "cublasDiagType_t"));
}

void Call::not_null(std::initializer_list<Pointer> pointers) {
  for (const Pointer& pointer : pointers) {
    if (pointer.value == nullptr) {
      refuse(CUBLAS_STATUS_INVALID_VALUE, std::string(pointer.name) + " is a null pointer");
    }
  }
}

bool Call::starts(std::initializer_list<Pointer> pointers) {
  not_null(pointers);
  if (!ok()) return false;
  switch (work_.start(context_->stream)) {
    case DeviceWork::Start::is_captured:
      status_ = CUBLAS_STATUS_NOT_SUPPORTED;
      break;
    case DeviceWork::Start::is_noted:
      is_noting_ = true;
      CapturedCall::here()->keep_context(std::make_shared<CublasContext>(*context_));
      break;
    case DeviceWork::Start::cannot_run:
      status_ = CUBLAS_STATUS_EXECUTION_FAILED;
      break;
    case DeviceWork::Start::began:
      break;
  }
  return ok();
}

bool Call::reaches(const std::string& name, const void* lowest, std::uint64_t count,
                   std::size_t bytes, const char* elements) {
  if (is_noting()) is_over_ = true;
  if (!ok()) return false;
  const std::string fault = fault_of_elements(lowest, count, bytes, elements);
  if (!fault.empty()) refuse(CUBLAS_STATUS_EXECUTION_FAILED, name + fault);
  return ok();
}

bool Call::notes_numbers() {
  if (ok() && context_->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
    // The host would have to wait for the result, or for rotations, which is not modelled.
    refuse_captured(context_->stream);
    refuse(CUBLAS_STATUS_EXECUTION_FAILED,
           std::string("into a graph it can be captured with CUBLAS_POINTER_MODE_DEVICE only"));
  }
  is_over_ = true;
  return false;
}

void Call::writes_on_host(const char* name, const int* pointer) {
  not_null({{name, pointer}});
  if (!ok()) return;
  if (is_device_memory(pointer)) {
    refuse(CUBLAS_STATUS_INVALID_VALUE,
           std::string(name) + " points to device memory: a GPU's host would crash");
  } else if (!may_copy_to_host(pointer, sizeof *pointer)) {
    status_ = CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

bool Call::reaches_numbers(const char* name, const void* pointer, std::uint64_t count,
                           std::size_t bytes, const char* elements, bool is_result,
                           bool is_copied) {
  if (!ok()) return false;
  const bool by_device = context_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  const bool is_elsewhere = !by_device && is_copied && is_device_memory(pointer);
  if (is_elsewhere) {
    work_.warn_of_device_result(name, host_mode_);
    work_.host_waits();
  }
  if (by_device || is_elsewhere) {
    if (!reaches(name, pointer, count, bytes, elements)) return false;
    if (is_result) {
      announce_write(pointer, count * bytes);
    } else {
      announce_read(pointer, count * bytes);
    }
    return true;
  }
  if (is_device_memory(pointer)) {
    refuse(CUBLAS_STATUS_INVALID_VALUE, std::string(name) + " points to device memory, " +
                                            host_mode_ + ": a GPU's host would crash");
  } else if (is_result && !may_copy_to_host(pointer, count * bytes)) {
    status_ = CUBLAS_STATUS_EXECUTION_FAILED;
  }
  if (ok() && is_result) work_.host_waits();
  return ok();
}

}  // namespace emulator::cublas
