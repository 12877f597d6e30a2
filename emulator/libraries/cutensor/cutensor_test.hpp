#pragma once
/// \file
/// What the tests of cuTENSOR share. Like api_test.cpp it works with NVIDIA's library as well.

#include <cuda_runtime.h>
#include <cutensor.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "libraries/common/array_test.hpp"

template <>
struct doctest::StringMaker<cutensorStatus_t> {
  static doctest::String convert(cutensorStatus_t status) { return cutensorGetErrorString(status); }
};

namespace cutensor_test {

inline constexpr auto success = CUTENSOR_STATUS_SUCCESS;
inline constexpr auto invalid = CUTENSOR_STATUS_INVALID_VALUE;
inline constexpr auto not_there = CUTENSOR_STATUS_NOT_INITIALIZED;
inline constexpr auto not_supported = CUTENSOR_STATUS_NOT_SUPPORTED;
inline constexpr auto too_little = CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE;
inline constexpr auto identity = CUTENSOR_OP_IDENTITY;
inline constexpr auto add = CUTENSOR_OP_ADD;
inline constexpr std::uint32_t alignment = 128;

using Extents = std::vector<std::int64_t>;
using Sizes = std::map<char, std::int64_t>;

/// A handle for the length of a scope.
class Handle {
 public:
  Handle() { REQUIRE(cutensorCreate(&handle_) == success); }
  ~Handle() { cutensorDestroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator cutensorHandle_t() const { return handle_; }

 private:
  cutensorHandle_t handle_ = nullptr;
};

template <class T>
inline constexpr auto type_of = CUDA_R_32F;
template <>
inline constexpr auto type_of<double> = CUDA_R_64F;
template <>
inline constexpr auto type_of<std::complex<float>> = CUDA_C_32F;
template <>
inline constexpr auto type_of<std::complex<double>> = CUDA_C_64F;

/// The names of modes, a letter each, as the library wants them.
inline std::vector<std::int32_t> names(const std::string& modes) {
  return {modes.begin(), modes.end()};
}
inline Extents extents(const std::string& modes, const Sizes& sizes) {
  Extents result;
  for (const char mode : modes) result.push_back(sizes.at(mode));
  return result;
}

/// A descriptor for the length of a scope.
class Descriptor {
 public:
  Descriptor(const Handle& handle, const Extents& extent, cudaDataType_t type = CUDA_R_32F,
             const Extents& stride = {}, std::uint32_t aligned_to = alignment) {
    REQUIRE(cutensorCreateTensorDescriptor(
                handle, &descriptor_, static_cast<std::uint32_t>(extent.size()), extent.data(),
                stride.empty() ? nullptr : stride.data(), type, aligned_to) == success);
  }
  ~Descriptor() { cutensorDestroyTensorDescriptor(descriptor_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator cutensorTensorDescriptor_t() const { return descriptor_; }

 private:
  cutensorTensorDescriptor_t descriptor_ = nullptr;
};

using libraries::Array;

template <class T>
T some_number(std::int64_t i) {
  const auto part = [](std::int64_t k) { return static_cast<double>((k * 7 + k / 5) % 9 - 4); };
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(part(i));
  } else {
    return T(static_cast<typename T::value_type>(part(i)),
             static_cast<typename T::value_type>(part(i + 3)));
  }
}

/// A tensor on the host: small whole numbers, whose products and sums are exact, in no particular
/// order. What is between the elements is not a number.
template <class T>
struct Tensor {
  std::string modes;
  Extents extent;
  Extents stride;
  std::vector<T> values;

  /// \param gap  how many elements more than it needs each stride has
  Tensor(std::string names_of_modes, const Sizes& sizes, std::int64_t seed, std::int64_t gap = 0)
      : modes(std::move(names_of_modes)), extent(extents(modes, sizes)) {
    std::int64_t size = 1;
    for (const std::int64_t one : extent) {
      stride.push_back(size + (stride.empty() ? gap : 0));
      size = stride.back() * one + gap;
    }
    values.assign(static_cast<std::size_t>(size), T(std::numeric_limits<float>::quiet_NaN()));
    std::int64_t i = seed;
    for_all(sizes, modes, [&](const Sizes& at) { (*this)(at) = some_number<T>(i++); });
  }

  std::size_t offset(const Sizes& at) const {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < modes.size(); ++i) offset += at.at(modes[i]) * stride[i];
    return static_cast<std::size_t>(offset);
  }
  T& operator()(const Sizes& at) { return values[offset(at)]; }
  T operator()(const Sizes& at) const { return values[offset(at)]; }

  /// Calls `use` with all combinations of indices of some modes.
  static void for_all(const Sizes& sizes, const std::string& of,
                      const std::function<void(const Sizes&)>& use, Sizes at = {}) {
    if (of.empty()) return use(at);
    for (std::int64_t i = 0; i < sizes.at(of.back()); ++i) {
      at[of.back()] = i;
      for_all(sizes, of.substr(0, of.size() - 1), use, at);
    }
  }
};

/// The modes of the first that none of the others has.
inline std::string without(const std::string& modes, const std::string& others) {
  std::string rest;
  for (const char mode : modes) {
    if (others.find(mode) == std::string::npos) rest += mode;
  }
  return rest;
}

/// What is said of an operation when it is described or, at the latest, when a plan is made of it:
/// ours says most of it at once, NVIDIA's library some of it only then.
inline cutensorStatus_t verdict(
    const Handle& handle,
    const std::function<cutensorStatus_t(cutensorOperationDescriptor_t*)>& create) {
  cutensorOperationDescriptor_t operation = nullptr;
  if (const cutensorStatus_t status = create(&operation); status != success) return status;
  cutensorPlanPreference_t preference = nullptr;
  REQUIRE(cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_DEFAULT,
                                       CUTENSOR_JIT_MODE_NONE) == success);
  cutensorPlan_t plan = nullptr;
  const cutensorStatus_t status =
      cutensorCreatePlan(handle, &plan, operation, preference, std::uint64_t{1} << 26);
  if (status == success) cutensorDestroyPlan(plan);
  REQUIRE(cutensorDestroyPlanPreference(preference) == success);
  cutensorDestroyOperationDescriptor(operation);
  return status;
}

/// What describes an operation, for the length of a scope, and a plan for it.
class Plan {
 public:
  using Create = std::function<cutensorStatus_t(cutensorOperationDescriptor_t*)>;
  Plan(const Handle& handle, const Create& create, std::uint64_t limit = std::uint64_t{1} << 26) {
    REQUIRE(create(&operation_) == success);
    cutensorPlanPreference_t preference = nullptr;
    REQUIRE(cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_DEFAULT,
                                         CUTENSOR_JIT_MODE_NONE) == success);
    REQUIRE(cutensorCreatePlan(handle, &plan_, operation_, preference, limit) == success);
    REQUIRE(cutensorDestroyPlanPreference(preference) == success);
    REQUIRE(cutensorPlanGetAttribute(handle, plan_, CUTENSOR_PLAN_REQUIRED_WORKSPACE, &size_,
                                     sizeof(size_)) == success);
    REQUIRE(cudaMalloc(&workspace_, std::max<std::uint64_t>(size_, 1)) == cudaSuccess);
  }
  ~Plan() {
    cutensorDestroyPlan(plan_);
    cutensorDestroyOperationDescriptor(operation_);
    cudaFree(workspace_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  operator cutensorPlan_t() const { return plan_; }
  cutensorOperationDescriptor_t operation() const { return operation_; }
  void* workspace() const { return workspace_; }
  std::uint64_t size() const { return size_; }

 private:
  cutensorOperationDescriptor_t operation_ = nullptr;
  cutensorPlan_t plan_ = nullptr;
  void* workspace_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Whether the elements agree, within `error` of the largest; what is not a number, with itself.
template <class T>
bool agree(const std::vector<T>& a, const std::vector<T>& b, double error = 0) {
  const auto is_nan = [](T x) { return x != x; };
  double largest = 0;
  for (const T x : b) {
    if (!is_nan(x)) largest = std::max(largest, static_cast<double>(std::abs(x)));
  }
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](T x, T y) {
    if (is_nan(x) || is_nan(y)) return is_nan(x) && is_nan(y);
    return static_cast<double>(std::abs(x - y)) <= error * largest;
  });
}

}  // namespace cutensor_test
