#pragma once
#pragma GCC system_header
/// \file
/// nvcc's own atomic functions, `__nv_atomic_*`: loads, stores and changes of memory with an order
/// and a scope, on which NVIDIA's libraries build theirs. In kernels only, as there.
///
/// Each is one access, counted as a load or a store that cannot be left out, or as an atomic. What
/// an order adds is a fence on the side where it is wanted, for the block or for more, as the scope
/// says. nvcc wants numbers in the source for both; here a variable will do.

#include <type_traits>

#include "emulator/device/atomics.h"
#include "emulator/device/fences.h"
#include "emulator/ptx/ptx_atomics.h"

enum : int {
  __NV_ATOMIC_RELAXED = 0,
  __NV_ATOMIC_CONSUME = 1,
  __NV_ATOMIC_ACQUIRE = 2,
  __NV_ATOMIC_RELEASE = 3,
  __NV_ATOMIC_ACQ_REL = 4,
  __NV_ATOMIC_SEQ_CST = 5
};
enum : int {
  __NV_THREAD_SCOPE_THREAD = 0,
  __NV_THREAD_SCOPE_BLOCK = 1,
  __NV_THREAD_SCOPE_CLUSTER = 2,
  __NV_THREAD_SCOPE_DEVICE = 3,
  __NV_THREAD_SCOPE_SYSTEM = 4
};

namespace emulator::detail {

/// Exchanges 16 bytes, for which not every host has an instruction; and that only if they are what
/// is expected, or else these become what they are. Never instrumented, and one at a time.
void exchange_wide(void* address, const void* value, void* old) noexcept;
bool compare_exchange_wide(void* address, void* expected, const void* desired) noexcept;

/// A parameter that has the type that the first one's pointer says.
template <class T>
using ValueOf = std::enable_if_t<true, T>;

EMULATOR_INLINE void fence_for(int scope) {
  if (scope <= __NV_THREAD_SCOPE_CLUSTER) {
    ::__threadfence_block();
  } else if (scope == __NV_THREAD_SCOPE_DEVICE) {
    ::__threadfence();
  } else {
    ::__threadfence_system();
  }
}
EMULATOR_INLINE void fence_before(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) fence_for(scope);
}
EMULATOR_INLINE void fence_behind(int order, int scope) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) fence_for(scope);
}

template <class T>
EMULATOR_INLINE void nv_record(const void* address, AtomicOperation operation, int scope) {
  if (scope == __NV_THREAD_SCOPE_SYSTEM) {
    record_system_atomic(address, sizeof(T), operation);
  } else {
    record_atomic(address, sizeof(T), operation);
  }
}

template <class T>
EMULATOR_INLINE T nv_load(const T* address, int order, int scope) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "atomic functions are for 1, 2, 4, 8 or 16 bytes");
  note_poll();
  if (order == __NV_ATOMIC_SEQ_CST) fence_for(scope);
  if constexpr (sizeof(T) == 16) {
    const uint4 loaded = *reinterpret_cast<const uint4*>(address);
    fence_behind(order, scope);
    return ptx::as<T>(loaded);
  } else {
    const T loaded = ptx::load_strong<T>(address);
    fence_behind(order, scope);
    return loaded;
  }
}
template <class T>
EMULATOR_INLINE void nv_store(T* address, T value, int order, int scope) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "atomic functions are for 1, 2, 4, 8 or 16 bytes");
  fence_before(order, scope);
  if constexpr (sizeof(T) == 16) {
    *reinterpret_cast<uint4*>(address) = ptx::as<uint4>(value);
  } else {
    ptx::store_strong<T>(address, value);
  }
}
template <class T>
EMULATOR_INLINE T nv_exchange(T* address, T value, int order, int scope) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "an atomic exchange is for 4, 8 or 16 bytes");
  fence_before(order, scope);
  nv_record<T>(address, AtomicOperation::exchange, scope);
  T old;
  if constexpr (sizeof(T) == 16) {
    exchange_wide(address, &value, &old);
  } else {
    using Word = ptx::Word<T>;
    old = ptx::as<T>(atomic_exch(reinterpret_cast<Word*>(address), ptx::as<Word>(value)));
  }
  fence_behind(order, scope);
  return old;
}
template <class T>
EMULATOR_INLINE bool nv_compare_exchange(T* address, T* expected, T desired, int order, int scope) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "an atomic compare and exchange is for 2, 4, 8 or 16 bytes");
  fence_before(order, scope);
  bool is_equal = false;
  if constexpr (sizeof(T) == 16) {
    T found = *expected;
    nv_record<T>(address, AtomicOperation::compare, scope);
    is_equal = compare_exchange_wide(address, &found, &desired);
    if (!is_equal) *expected = found;
  } else {
    using Word = ptx::Word<T>;
    const Word wanted = ptx::as<Word>(*expected);
    nv_record<T>(address, AtomicOperation::compare, scope);
    const Word found = atomic_cas(reinterpret_cast<Word*>(address), wanted, ptx::as<Word>(desired));
    is_equal = found == wanted;
    if (!is_equal) *expected = ptx::as<T>(found);
  }
  fence_behind(order, scope);
  return is_equal;
}

template <class T>
inline constexpr bool is_nv_word = sizeof(T) == 4 || sizeof(T) == 8;

template <class T>
EMULATOR_INLINE T nv_sum(T* address, T value) {
  if constexpr (std::is_floating_point_v<T>) return atomic_add_real<T>(address, value);
  if constexpr (!std::is_floating_point_v<T>) return atomic_add<T>(address, value);
}
template <class T>
EMULATOR_INLINE T nv_difference(T* address, T value) {
  if constexpr (std::is_floating_point_v<T>) return atomic_add_real<T>(address, -value);
  if constexpr (!std::is_floating_point_v<T>) return atomic_sub<T>(address, value);
}

}  // namespace emulator::detail

EMULATOR_DEVICE_ONLY_BEGIN

/// The value at an address: as a result, or at another address.
template <class T>
EMULATOR_INLINE T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(::std::is_integral_v<T>, "only integers: __nv_atomic_load() takes other types");
  return ::emulator::detail::nv_load(address, order, scope);
}
template <class T>
EMULATOR_INLINE void __nv_atomic_load(T* address, T* result, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = ::emulator::detail::nv_load(address, order, scope);
}

template <class T>
EMULATOR_INLINE void __nv_atomic_store_n(T* address, ::emulator::detail::ValueOf<T> value,
                                         int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(::std::is_integral_v<T>, "only integers: __nv_atomic_store() takes other types");
  ::emulator::detail::nv_store(address, value, order, scope);
}
template <class T>
EMULATOR_INLINE void __nv_atomic_store(T* address, T* value, int order,
                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::emulator::detail::nv_store(address, *value, order, scope);
}

/// Stores a value and gives the old one.
template <class T>
EMULATOR_INLINE T __nv_atomic_exchange_n(T* address, ::emulator::detail::ValueOf<T> value,
                                         int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(::std::is_integral_v<T>, "only integers: __nv_atomic_exchange() takes other types");
  return ::emulator::detail::nv_exchange<T>(address, value, order, scope);
}
template <class T>
EMULATOR_INLINE void __nv_atomic_exchange(T* address, T* value, T* result, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = ::emulator::detail::nv_exchange<T>(address, *value, order, scope);
}

/// Stores a value if the expected value is there, or else returns what is. A weak one does not fail
/// without a reason here.
template <class T>
EMULATOR_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                    ::emulator::detail::ValueOf<T> desired, bool,
                                                    int order, int,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(::std::is_integral_v<T>,
                "only integers: __nv_atomic_compare_exchange() takes other types");
  return ::emulator::detail::nv_compare_exchange<T>(address, expected, desired, order, scope);
}
template <class T>
EMULATOR_INLINE bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool,
                                                  int order, int,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return ::emulator::detail::nv_compare_exchange<T>(address, expected, *desired, order, scope);
}

// With the old value as a result, and without a result.
#define EMULATOR_NV_ATOMIC(name, kind, operation, condition, reason)                            \
  template <class T>                                                                            \
  EMULATOR_INLINE T __nv_atomic_fetch_##name(T* address, ::emulator::detail::ValueOf<T> value,  \
                                             int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    using namespace ::emulator::detail;                                                         \
    static_assert(condition, reason);                                                           \
    fence_before(order, scope);                                                                 \
    nv_record<T>(address, kind, scope);                                                         \
    const T old = operation;                                                                    \
    fence_behind(order, scope);                                                                 \
    return old;                                                                                 \
  }                                                                                             \
  template <class T>                                                                            \
  EMULATOR_INLINE void __nv_atomic_##name(T* address, ::emulator::detail::ValueOf<T> value,     \
                                          int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {    \
    ::emulator::detail::note_atomic(address, ::emulator::detail::atomic_hints::unused);         \
    static_cast<void>(__nv_atomic_fetch_##name(address, value, order, scope));                  \
  }
#define EMULATOR_NV_SUM(name, operation)                                                   \
  EMULATOR_NV_ATOMIC(                                                                      \
      name, std::is_floating_point_v<T> ? AtomicOperation::real : AtomicOperation::add,    \
      operation<T>(address, value),                                                        \
      is_nv_word<T> && (sizeof(T) == 4 || !std::is_integral_v<T> || !std::is_signed_v<T>), \
      "atomic sums are of float, double, integers of 4 bytes, and unsigned ones of 8")
EMULATOR_NV_SUM(add, nv_sum)
EMULATOR_NV_SUM(sub, nv_difference)
#define EMULATOR_NV_BITS(name)                                                        \
  EMULATOR_NV_ATOMIC(name, AtomicOperation::select, atomic_##name<T>(address, value), \
                     is_nv_word<T>&& std::is_integral_v<T>,                           \
                     "this atomic function is for integers of 4 or 8 bytes")
EMULATOR_NV_BITS(and)
EMULATOR_NV_BITS(or)
EMULATOR_NV_BITS(xor)
EMULATOR_NV_BITS(min)
EMULATOR_NV_BITS(max)
#undef EMULATOR_NV_BITS
#undef EMULATOR_NV_SUM
#undef EMULATOR_NV_ATOMIC

EMULATOR_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order != __NV_ATOMIC_RELAXED) ::emulator::detail::fence_for(scope);
}

EMULATOR_DEVICE_ONLY_END
