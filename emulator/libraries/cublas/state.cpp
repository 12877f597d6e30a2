/// \file
/// cuBLAS's handles, and what they remember.

#include "libraries/cublas/state.hpp"

#include <bit>
#include <map>
#include <mutex>

#include "emulator/host/unmodelled.h"
#include "emulator/libraries/cublas_unmodelled.h"
#include "libraries/cublas/logger.hpp"

namespace emulator::cublas {
namespace {

// The live handles. A handle is a number that is used once, so that a stale one is found.
class Handles {
 public:
  static Handles& get() {
    static auto& handles = *new Handles;  // never destroyed, for static objects' destructors
    return handles;
  }

  cublasHandle_t add() {
    const std::lock_guard lock(mutex_);
    next_ += 16;
    contexts_[next_] = {};
    return std::bit_cast<cublasHandle_t>(next_);
  }

  bool remove(cublasHandle_t handle) {
    const std::lock_guard lock(mutex_);
    return contexts_.erase(std::bit_cast<std::uintptr_t>(handle)) == 1;
  }

  // Calls `use` with the state of a live handle and returns what it returns.
  template <class Use>
  cublasStatus_t with(cublasHandle_t handle, Use use) {
    const std::lock_guard lock(mutex_);
    const auto found = contexts_.find(std::bit_cast<std::uintptr_t>(handle));
    return found == contexts_.end() ? CUBLAS_STATUS_NOT_INITIALIZED : use(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, CublasContext> contexts_;
  std::uintptr_t next_ = 0xB1A5'0000;
};

cublasStatus_t logged(const char* function, cublasStatus_t status) {
  log_call(function, "", status);
  return status;
}

// Sets a member of a handle's state, if the value is a legal one.
template <class T>
cublasStatus_t set(const char* function, cublasHandle_t handle, T CublasContext::*member, T value,
                   bool is_legal) {
  return logged(function, Handles::get().with(handle, [&](CublasContext& context) {
    if (!is_legal) return CUBLAS_STATUS_INVALID_VALUE;
    context.*member = value;
    return CUBLAS_STATUS_SUCCESS;
  }));
}

template <class T>
cublasStatus_t get(const char* function, cublasHandle_t handle, T CublasContext::*member,
                   T* value) {
  return logged(function, Handles::get().with(handle, [&](CublasContext& context) {
    if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *value = context.*member;
    return CUBLAS_STATUS_SUCCESS;
  }));
}

bool is_math_mode(cublasMath_t mode) {
  switch (mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) {
    case CUBLAS_DEFAULT_MATH:
    case CUBLAS_TENSOR_OP_MATH:
    case CUBLAS_PEDANTIC_MATH:
    case CUBLAS_TF32_TENSOR_OP_MATH:
    case CUBLAS_FP32_EMULATED_BF16X9_MATH:
    case CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH:
      return true;
    default:
      return false;
  }
}

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};

// The texts are ours; NVIDIA documents only the names.
constexpr StatusText status_texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "no error"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "no live cuBLAS handle"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "out of memory"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument makes no sense"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device cannot do this"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "a copy to or from the device failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the device could not do the work"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "cuBLAS itself failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a licence is missing"}};

constexpr StatusText unknown_status = {CUBLAS_STATUS_SUCCESS, "unrecognized status",
                                       "unrecognized status"};

const StatusText& text_of(cublasStatus_t status) {
  for (const StatusText& text : status_texts) {
    if (text.status == status) return text;
  }
  return unknown_status;
}

}  // namespace

std::optional<CublasContext> find_context(cublasHandle_t handle) {
  std::optional<CublasContext> found;
  Handles::get().with(handle, [&](const CublasContext& context) {
    found = context;
    return CUBLAS_STATUS_SUCCESS;
  });
  return found;
}

}  // namespace emulator::cublas

using namespace emulator::cublas;

cublasStatus_t emulator::detail::cublas_not_modelled(const char* what) {
  const QuietErrors quiet;
  not_modelled(what);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (device_state() != cudaSuccess) return logged("cublasCreate", CUBLAS_STATUS_NOT_INITIALIZED);
  *handle = Handles::get().add();
  return logged("cublasCreate", CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return logged("cublasDestroy", Handles::get().remove(handle) ? CUBLAS_STATUS_SUCCESS
                                                               : CUBLAS_STATUS_NOT_INITIALIZED);
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (type < MAJOR_VERSION || type > PATCH_LEVEL || value == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

std::size_t cublasGetCudartVersion() {
  return CUDART_VERSION;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  return text_of(status).name;
}

const char* cublasGetStatusString(cublasStatus_t status) {
  return text_of(status).text;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set("cublasSetStream", handle, &CublasContext::stream, stream,
             check_stream(stream) == cudaSuccess);
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return get("cublasGetStream", handle, &CublasContext::stream, stream);
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t) {
  return Handles::get().with(handle, [&](const CublasContext&) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0;
    return is_aligned ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set("cublasSetPointerMode", handle, &CublasContext::pointer_mode, mode,
             mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get("cublasGetPointerMode", handle, &CublasContext::pointer_mode, mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set("cublasSetAtomicsMode", handle, &CublasContext::atomics_mode, mode,
             mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get("cublasGetAtomicsMode", handle, &CublasContext::atomics_mode, mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set("cublasSetMathMode", handle, &CublasContext::math_mode, mode, is_math_mode(mode));
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get("cublasGetMathMode", handle, &CublasContext::math_mode, mode);
}

cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t strategy) {
  return set(
      "cublasSetEmulationStrategy", handle, &CublasContext::emulation_strategy, strategy,
      strategy >= CUBLAS_EMULATION_STRATEGY_DEFAULT && strategy <= CUBLAS_EMULATION_STRATEGY_EAGER);
}
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t* strategy) {
  return get("cublasGetEmulationStrategy", handle, &CublasContext::emulation_strategy, strategy);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int target) {
  const QuietErrors quiet;
  int there = 0;
  cudaDeviceGetAttribute(&there, cudaDevAttrMultiProcessorCount, 0);
  return set("cublasSetSmCountTarget", handle, &CublasContext::sm_count_target, target,
             target >= 0 && target <= there);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* target) {
  return get("cublasGetSmCountTarget", handle, &CublasContext::sm_count_target, target);
}
