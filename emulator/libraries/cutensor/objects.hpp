#pragma once
/// \file
/// What cuTENSOR's handles and descriptors stand for.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cutensor.h"

namespace emulator::cutensor {

struct Tensor {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  cudaDataType_t type = CUDA_R_32F;
  std::uint32_t alignment = 1;

  std::size_t modes() const { return extents.size(); }
  /// How many elements it has; and how many there are from its first to its last, or too_many.
  double size() const;
  std::uint64_t span() const;
  bool operator==(const Tensor&) const = default;
};

/// A tensor in an operation: its modes have names, and its elements an operator.
struct Operand {
  const char* name;
  Tensor tensor;
  std::vector<std::int32_t> modes;
  cutensorOperator_t op = CUTENSOR_OP_IDENTITY;

  /// Which of its modes has this name, or -1.
  int find(std::int32_t mode) const;
};

enum class Kind { contraction, trinary_contraction, reduction, permutation, binary, trinary };

/// What the arithmetic is done with.
enum class Precision { r16, b16, tf32, tf32_thrice, r32, r64 };

struct Operation {
  Kind kind;
  std::vector<Operand> operands;  ///< the inputs, then the output
  std::vector<int> factors;       ///< of each input, which factor is its: 0 is alpha
  Precision precision = Precision::r32;
  cudaDataType_t scalar = CUDA_R_32F;
  /// Of what goes element by element, and of a reduction.
  cutensorOperator_t first = CUTENSOR_OP_ADD;
  cutensorOperator_t second = CUTENSOR_OP_ADD;
  std::int32_t tag = 0;

  const Operand& output() const { return operands.back(); }
  std::size_t inputs() const { return operands.size() - 1; }
  bool is_contraction() const {
    return kind == Kind::contraction || kind == Kind::trinary_contraction;
  }
};

struct Preference {
  cutensorAlgo_t algorithm = CUTENSOR_ALGO_DEFAULT;
  cutensorJitMode_t jit = CUTENSOR_JIT_MODE_NONE;
  cutensorAutotuneMode_t autotune = CUTENSOR_AUTOTUNE_MODE_NONE;
  cutensorCacheMode_t cache = CUTENSOR_CACHE_MODE_PEDANTIC;
  std::int32_t incremental_count = 4;
  std::int32_t kernel_rank = 0;
  std::int32_t architecture = 0;
};

struct Plan {
  Operation operation;
  std::uint64_t workspace;
};

struct LibraryContext {};

/// The live objects of one kind. What stands for one is a number that is used once, so that a stale
/// one is found.
template <class Pointer, class Object>
class LiveObjects {
 public:
  static LiveObjects& get() {
    static auto& objects = *new LiveObjects;  // never destroyed, for static objects' destructors
    return objects;
  }

  Pointer add(Object object) {
    const std::lock_guard lock(mutex_);
    next_ += 16;
    objects_[next_] = std::make_shared<Object>(std::move(object));
    return reinterpret_cast<Pointer>(next_);
  }
  std::shared_ptr<Object> find(Pointer pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(pointer));
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Also takes nullptr, as free() does.
  cutensorStatus_t destroy(Pointer pointer) {
    const std::lock_guard lock(mutex_);
    const bool is_gone =
        pointer == nullptr || objects_.erase(reinterpret_cast<std::uintptr_t>(pointer)) == 1;
    return is_gone ? CUTENSOR_STATUS_SUCCESS : CUTENSOR_STATUS_NOT_INITIALIZED;
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, std::shared_ptr<Object>> objects_;
  std::uintptr_t next_ = 0x7E45'0000;
};

using LiveHandles = LiveObjects<cutensorHandle_t, LibraryContext>;
using LiveTensors = LiveObjects<cutensorTensorDescriptor_t, Tensor>;
using LiveOperations = LiveObjects<cutensorOperationDescriptor_t, Operation>;
using LivePreferences = LiveObjects<cutensorPlanPreference_t, Preference>;
using LivePlans = LiveObjects<cutensorPlan_t, Plan>;

/// Types of elements: whether the emulator has them, their bytes, and what they are called.
bool is_element(cudaDataType_t type);
bool is_complex(cudaDataType_t type);
std::size_t bytes_of(cudaDataType_t type);
const char* plural(cudaDataType_t type);
/// `CUDA_R_32F`
std::string name_of(cudaDataType_t type);
/// A mode in a message: 'k', or its number.
std::string name_of_mode(std::int32_t mode);

}  // namespace emulator::cutensor
