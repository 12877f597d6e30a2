#pragma once
/// \file
/// Which handles and descriptors live.

#include <initializer_list>
#include <mutex>
#include <set>

#include "libraries/common/runtime.hpp"
#include "libraries/cusparse/descriptors.hpp"

namespace emulator::cusparse {

using namespace libraries;

/// What lives. A descriptor that is destroyed is known no more, unless its address is
/// reused.
struct Registry {
  std::mutex mutex;
  std::set<const void*> live;
};
inline Registry& registry() {
  static auto& all = *new Registry;  // never destroyed, for static objects' destructors
  return all;
}

template <class T>
cusparseStatus_t made(T const** result, const T& value) {
  T* const descriptor = new T(value);
  const std::lock_guard lock(registry().mutex);
  registry().live.insert(descriptor);
  *result = descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
cusparseStatus_t made(T** result, const T& value) {
  const T* descriptor = nullptr;
  const cusparseStatus_t status = made(&descriptor, value);
  *result = const_cast<T*>(descriptor);
  return status;
}

template <class T>
cusparseStatus_t destroyed(const T* descriptor, cusparseStatus_t if_not_live) {
  {
    const std::lock_guard lock(registry().mutex);
    if (registry().live.erase(descriptor) == 0) return if_not_live;
  }
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Calls `use` if the descriptor lives and none of the pointers is null.
template <class Use>
cusparseStatus_t with(const void* descriptor, std::initializer_list<const void*> pointers,
                      Use use) {
  if (!is_live(descriptor)) return CUSPARSE_STATUS_INVALID_VALUE;
  for (const void* const pointer : pointers) {
    if (pointer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  }
  use();
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Use>
cusparseStatus_t with_handle(cusparseHandle_t handle, Use use) {
  return is_live(handle) ? with(handle, {}, use) : CUSPARSE_STATUS_NOT_INITIALIZED;
}

}  // namespace emulator::cusparse
