// Chapter 17, second lesson: what every operation of cuTENSOR needs before it runs. In this order:
// a handle; a descriptor of each tensor; a descriptor of the operation; a preference; a plan, which
// holds the chosen kernel; and a workspace.
#pragma once

#include <optional>

#include "cutensor.hpp"
#include "device.hpp"
#include "tensors.hpp"

// Something that the library made, destroyed at the end of its lifetime.
template <class Thing, cutensorStatus_t (*destroy)(Thing)>
class UniqueHandle {
 public:
  UniqueHandle() = default;
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  ~UniqueHandle() {
    if (thing_ != nullptr) CUDA_WARN(destroy(thing_));
  }
  operator Thing() const { return thing_; }
  Thing* out() { return &thing_; }  // for the function that makes it

 private:
  Thing thing_ = nullptr;
};

using UniqueDescriptor = UniqueHandle<cutensorTensorDescriptor_t, cutensorDestroyTensorDescriptor>;
using UniqueOperation =
    UniqueHandle<cutensorOperationDescriptor_t, cutensorDestroyOperationDescriptor>;
using UniquePreference = UniqueHandle<cutensorPlanPreference_t, cutensorDestroyPlanPreference>;
using UniquePlan = UniqueHandle<cutensorPlan_t, cutensorDestroyPlan>;

// The library's state: made once, handed to every call.
class Library {
 public:
  Library() { CUDA_CHECK(cutensorCreate(handle_.out())); }
  operator cutensorHandle_t() const { return handle_; }

 private:
  UniqueHandle<cutensorHandle_t, cutensorDestroy> handle_;
};

// The alignment that we promise for every pointer of a descriptor: a multiple of this many bytes.
// The larger it is, the wider the loads that the library may choose. cudaMalloc() returns pointers
// with this alignment, and we pass those.
constexpr std::uint32_t alignment = 256;

// A tensor of floats, for the library. Only an operation gives its modes names: one descriptor may
// serve A[m,h] here and A[u,k] there.
class Descriptor {
 public:
  Descriptor(const Library& library, const Tensor& tensor)
      : modes(tensor.modes.begin(), tensor.modes.end()) {
    CUDA_CHECK(cutensorCreateTensorDescriptor(
        library, descriptor_.out(), static_cast<std::uint32_t>(modes.size()), tensor.extents.data(),
        tensor.strides.data(), CUTENSOR_R_32F, alignment));
  }
  operator cutensorTensorDescriptor_t() const { return descriptor_; }

  const std::vector<std::int32_t> modes;  // any numbers can be names; ours are the letters

 private:
  UniqueDescriptor descriptor_;
};

// How much memory a plan may use beside its tensors.
enum class WorkspaceLimit { none, by_default, most };

// Chooses a kernel, with at most the allowed workspace. That takes far longer than a launch: make a
// plan once, and use it often.
inline void make_plan(const Library& library, const UniqueOperation& operation,
                      WorkspaceLimit limit, bool cached, UniquePreference& preference,
                      UniquePlan& plan) {
  // Any algorithm, and only precompiled kernels: none is compiled now.
  CUDA_CHECK(cutensorCreatePlanPreference(library, preference.out(), CUTENSOR_ALGO_DEFAULT,
                                          CUTENSOR_JIT_MODE_NONE));
  if (!cached) {  // otherwise the library reuses its earlier choice for the same operation
    const cutensorCacheMode_t mode = CUTENSOR_CACHE_MODE_NONE;
    CUDA_CHECK(cutensorPlanPreferenceSetAttribute(
        library, preference, CUTENSOR_PLAN_PREFERENCE_CACHE_MODE, &mode, sizeof mode));
  }
  std::uint64_t bytes = 0;
  if (limit != WorkspaceLimit::none) {
    CUDA_CHECK(cutensorEstimateWorkspaceSize(
        library, operation, preference,
        limit == WorkspaceLimit::most ? CUTENSOR_WORKSPACE_MAX : CUTENSOR_WORKSPACE_DEFAULT,
        &bytes));
  }
  CUDA_CHECK(cutensorCreatePlan(library, plan.out(), operation, preference, bytes));
}

class Plan {
 public:
  Plan(const Library& library, const UniqueOperation& operation,
       WorkspaceLimit limit = WorkspaceLimit::by_default, bool cached = true) {
    make_plan(library, operation, limit, cached, preference_, plan_);
    // The limit was an estimate for any kernel. Now that one is chosen, the exact size is known.
    CUDA_CHECK(cutensorPlanGetAttribute(library, plan_, CUTENSOR_PLAN_REQUIRED_WORKSPACE,
                                        &workspace_bytes_, sizeof workspace_bytes_));
  }
  operator cutensorPlan_t() const { return plan_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  UniquePreference preference_;
  UniquePlan plan_;
  std::uint64_t workspace_bytes_ = 0;
};
