#pragma once
/// \file
/// What the emulator's cuSOLVER remembers: handles and parameters, and which of them live.

#include <mutex>
#include <set>

#include "cusolverDn.h"
#include "libraries/common/runtime.hpp"

namespace emulator::cusolver {

using namespace libraries;

struct Context {  // what all handles have
  cudaStream_t stream = nullptr;
};

/// How long Jacobi's rotations go on, and what came of them.
struct Rotations {
  double tolerance = 0;  ///< 0: that of the numbers' type
  int most_sweeps = 100;
  bool sorts = true;
  int sweeps = 0;
  double residual = 0;
  bool converged = true;
};

/// What lives. A handle that is destroyed is known no more, unless its address is reused.
struct Registry {
  std::mutex mutex;
  std::set<const void*> live;
};
inline Registry& registry() {
  static auto& all = *new Registry;  // never destroyed, for static objects' destructors
  return all;
}
inline bool is_live(const void* object) {
  const std::lock_guard lock(registry().mutex);
  return registry().live.count(object) != 0;
}

template <class T>
cusolverStatus_t made(T** result) {
  if (result == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  T* const object = new T;
  const std::lock_guard lock(registry().mutex);
  registry().live.insert(object);
  *result = object;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
cusolverStatus_t destroyed(const T* object,
                           cusolverStatus_t if_not_live = CUSOLVER_STATUS_INVALID_VALUE) {
  {
    const std::lock_guard lock(registry().mutex);
    if (registry().live.erase(object) == 0) return if_not_live;
  }
  delete object;
  return CUSOLVER_STATUS_SUCCESS;
}
/// Calls `use` if the object lives.
template <class Use>
cusolverStatus_t with(const void* object, Use use,
                      cusolverStatus_t if_not_live = CUSOLVER_STATUS_NOT_INITIALIZED) {
  if (!is_live(object)) return if_not_live;
  return use();
}
/// Reads or sets a member of an object that lives.
template <class Object, class Base, class T, class U>
cusolverStatus_t set(Object* object, T Base::*member, U value) {
  return with(object, [&] {
    object->*member = static_cast<T>(value);
    return CUSOLVER_STATUS_SUCCESS;
  });
}
template <class Object, class Base, class T, class U>
cusolverStatus_t get(const Object* object, T Base::*member, U* value) {
  if (value == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return with(object, [&] {
    *value = static_cast<U>(object->*member);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace emulator::cusolver

struct cusolverDnContext : emulator::cusolver::Context {
  cusolverDeterministicMode_t determinism = CUSOLVER_DETERMINISTIC_RESULTS;
  cusolverMathMode_t math = CUSOLVER_DEFAULT_MATH;
};
struct cusolverDnParams {
  cusolverAlgMode_t algorithms[3] = {CUSOLVER_ALG_0, CUSOLVER_ALG_0, CUSOLVER_ALG_0};
};
/// Jacobi's rotations: what was asked for, and what came of the last call.
struct JacobiParams : emulator::cusolver::Rotations {
  bool was_batch = false;
};
struct syevjInfo : JacobiParams {};
struct gesvdjInfo : JacobiParams {};
