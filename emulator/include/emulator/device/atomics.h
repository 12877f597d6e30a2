#pragma once
#pragma GCC system_header
/// \file
/// CUDA's atomic functions: the legacy set (`atomicAdd`, `atomicCAS`, ...) with the overloads that
/// CUDA declares, each also as `_block` and `_system`.
///
/// Every function reads the old value at `address`, stores the new one in one indivisible step, and
/// returns the old value. Blocks may run on several host threads, so each is a real host atomic,
/// sequentially consistent at whatever scope was asked for (CUDA promises only relaxed ordering: do
/// not rely on more). An atomic is reported to the runtime as such and is not counted as a load or
/// a store.
///
/// One difference: on a GPU a float `atomicAdd` on *global* memory flushes denormal numbers to
/// zero; this one keeps them everywhere, as a GPU does in shared memory.

#include "emulator/device/vector_types.h"
#include "emulator/inline.h"
#include "emulator/version.h"

namespace emulator::detail {

/// Kinds of atomic operations, as far as the hardware differs in how it carries them out.
enum class AtomicOperation : unsigned {
  add,       ///< of integers, and subtracting them
  select,    ///< minimum, maximum and the bitwise ones
  ring,      ///< counting round a ring
  exchange,  ///< a new value, whatever was there
  compare,   ///< a new value in place of a certain other one
  real,      ///< adding up floating-point numbers
};

/// What a compiler can see of a call: bits for note_atomic().
namespace atomic_hints {
inline constexpr unsigned one_address = 1;  ///< all lanes mean the same
inline constexpr unsigned unused = 2;       ///< nobody asks for the result
inline constexpr unsigned literal = 4;      ///< the value is a number in the source
inline constexpr unsigned adds_one = 8;     ///< and this number is 1
}  // namespace atomic_hints

/// Tells the runtime what is known of the operation on this address that comes next.
void note_atomic(const void* address, unsigned bits) noexcept;

/// Tells the runtime that the running thread is about to perform an atomic on `bytes` bytes at
/// `address`. Defined by the runtime, uninstrumented. Its return address is in the line of the
/// kernel. noexcept, so that no block of code begins between this call and the atomic: there the
/// thread could lose its turn.
void record_atomic(const void* address, unsigned bytes, AtomicOperation operation) noexcept;
/// The same of an atomic for the whole system, and not for the device only.
void record_system_atomic(const void* address, unsigned bytes, AtomicOperation operation) noexcept;

template <class T>
EMULATOR_LEAF T atomic_add(T* address, T val) noexcept {
  return __atomic_fetch_add(address, val, __ATOMIC_SEQ_CST);
}
template <class T>
EMULATOR_LEAF T atomic_sub(T* address, T val) noexcept {
  return __atomic_fetch_sub(address, val, __ATOMIC_SEQ_CST);
}
template <class T>
EMULATOR_LEAF T atomic_and(T* address, T val) noexcept {
  return __atomic_fetch_and(address, val, __ATOMIC_SEQ_CST);
}
template <class T>
EMULATOR_LEAF T atomic_or(T* address, T val) noexcept {
  return __atomic_fetch_or(address, val, __ATOMIC_SEQ_CST);
}
template <class T>
EMULATOR_LEAF T atomic_xor(T* address, T val) noexcept {
  return __atomic_fetch_xor(address, val, __ATOMIC_SEQ_CST);
}
template <class T>
EMULATOR_LEAF T atomic_exch(T* address, T val) noexcept {
  T old;
  __atomic_exchange(address, &val, &old, __ATOMIC_SEQ_CST);
  return old;
}
template <class T>
EMULATOR_LEAF T atomic_cas(T* address, T compare, T val) noexcept {
  __atomic_compare_exchange_n(address, &compare, val, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return compare;  // on failure the builtin has put the value it found here
}

// What the host has no instruction for is a loop: compute the new value from the old one, try to
// put it in place of exactly that old one, and start again from what was found if another thread
// was faster. NEW_VALUE is an expression in `old` and `val`. A float is compared by its bits: a NaN
// equals itself then.
#define EMULATOR_COMPARE_EXCHANGE_LOOP(name, NEW_VALUE)                            \
  template <class T>                                                               \
  EMULATOR_LEAF T name(T* address, T val) noexcept {                               \
    T old;                                                                         \
    __atomic_load(address, &old, __ATOMIC_SEQ_CST);                                \
    for (;;) {                                                                     \
      T next = NEW_VALUE;                                                          \
      if (__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_SEQ_CST, \
                                    __ATOMIC_SEQ_CST)) {                           \
        return old;                                                                \
      }                                                                            \
    }                                                                              \
  }

EMULATOR_COMPARE_EXCHANGE_LOOP(atomic_add_real, old + val)
EMULATOR_COMPARE_EXCHANGE_LOOP(atomic_min, val < old ? val : old)
EMULATOR_COMPARE_EXCHANGE_LOOP(atomic_max, old < val ? val : old)
EMULATOR_COMPARE_EXCHANGE_LOOP(atomic_inc, old >= val ? 0 : old + 1)
EMULATOR_COMPARE_EXCHANGE_LOOP(atomic_dec, old == 0 || old > val ? val : old - 1)
#undef EMULATOR_COMPARE_EXCHANGE_LOOP

}  // namespace emulator::detail

namespace emulator {

/// What the translator puts around the first argument of a call of which it can tell something.
/// \tparam bits of detail::atomic_hints
template <unsigned bits, class T>
EMULATOR_LEAF T* atomic_hint(T* address) noexcept {
  detail::note_atomic(const_cast<const void*>(static_cast<const volatile void*>(address)), bits);
  return address;
}

}  // namespace emulator

EMULATOR_DEVICE_ONLY_BEGIN

#define EMULATOR_RECORD_ATOMIC(record, T, kind) \
  ::emulator::detail::record(address, sizeof(T), ::emulator::detail::AtomicOperation::kind)
#define EMULATOR_ATOMIC(name, record, T, operation, kind)  \
  EMULATOR_INLINE T name(T* address, T val) {              \
    EMULATOR_RECORD_ATOMIC(record, T, kind);               \
    return ::emulator::detail::operation<T>(address, val); \
  }
#define EMULATOR_ATOMIC_CAS(name, record, T)                         \
  EMULATOR_INLINE T name(T* address, T compare, T val) {             \
    EMULATOR_RECORD_ATOMIC(record, T, compare);                      \
    return ::emulator::detail::atomic_cas<T>(address, compare, val); \
  }
#define EMULATOR_ATOMIC_ALL_SCOPES(name, T, operation, kind)       \
  EMULATOR_ATOMIC(name, record_atomic, T, operation, kind)         \
  EMULATOR_ATOMIC(name##_block, record_atomic, T, operation, kind) \
  EMULATOR_ATOMIC(name##_system, record_system_atomic, T, operation, kind)
#define EMULATOR_ATOMIC_32_BIT(name, operation, kind)    \
  EMULATOR_ATOMIC_ALL_SCOPES(name, int, operation, kind) \
  EMULATOR_ATOMIC_ALL_SCOPES(name, unsigned int, operation, kind)
#define EMULATOR_ATOMIC_ALL_INTEGERS(name, operation)            \
  EMULATOR_ATOMIC_32_BIT(name, operation, select)                \
  EMULATOR_ATOMIC_ALL_SCOPES(name, long long, operation, select) \
  EMULATOR_ATOMIC_ALL_SCOPES(name, unsigned long long, operation, select)

// old + val. Signed and unsigned sums wrap around.
EMULATOR_ATOMIC_32_BIT(atomicAdd, atomic_add, add)
EMULATOR_ATOMIC_ALL_SCOPES(atomicAdd, unsigned long long, atomic_add, add)
EMULATOR_ATOMIC_ALL_SCOPES(atomicAdd, float, atomic_add_real, real)
#if EMULATOR_ARCH >= 600  // programs for older ones bring their own
EMULATOR_ATOMIC_ALL_SCOPES(atomicAdd, double, atomic_add_real, real)
#endif

// old - val, for 32-bit integers only.
EMULATOR_ATOMIC_32_BIT(atomicSub, atomic_sub, add)

// val, whatever was there.
EMULATOR_ATOMIC_32_BIT(atomicExch, atomic_exch, exchange)
EMULATOR_ATOMIC_ALL_SCOPES(atomicExch, unsigned long long, atomic_exch, exchange)
EMULATOR_ATOMIC_ALL_SCOPES(atomicExch, float, atomic_exch, exchange)

EMULATOR_ATOMIC_ALL_INTEGERS(atomicMin, atomic_min)
EMULATOR_ATOMIC_ALL_INTEGERS(atomicMax, atomic_max)
EMULATOR_ATOMIC_ALL_INTEGERS(atomicAnd, atomic_and)
EMULATOR_ATOMIC_ALL_INTEGERS(atomicOr, atomic_or)
EMULATOR_ATOMIC_ALL_INTEGERS(atomicXor, atomic_xor)

// Counting round a ring: atomicInc from 0 up to val and back to 0, atomicDec from val down to 0 and
// back to val, and to val also from anything above it.
EMULATOR_ATOMIC_ALL_SCOPES(atomicInc, unsigned int, atomic_inc, ring)
EMULATOR_ATOMIC_ALL_SCOPES(atomicDec, unsigned int, atomic_dec, ring)

// old == compare ? val : old.
EMULATOR_ATOMIC_CAS(atomicCAS, record_atomic, unsigned short)
EMULATOR_ATOMIC_CAS(atomicCAS, record_atomic, int)
EMULATOR_ATOMIC_CAS(atomicCAS_block, record_atomic, int)
EMULATOR_ATOMIC_CAS(atomicCAS_system, record_system_atomic, int)
EMULATOR_ATOMIC_CAS(atomicCAS, record_atomic, unsigned int)
EMULATOR_ATOMIC_CAS(atomicCAS_block, record_atomic, unsigned int)
EMULATOR_ATOMIC_CAS(atomicCAS_system, record_system_atomic, unsigned int)
EMULATOR_ATOMIC_CAS(atomicCAS, record_atomic, unsigned long long)
EMULATOR_ATOMIC_CAS(atomicCAS_block, record_atomic, unsigned long long)
EMULATOR_ATOMIC_CAS(atomicCAS_system, record_system_atomic, unsigned long long)

#undef EMULATOR_ATOMIC_ALL_INTEGERS
#undef EMULATOR_ATOMIC_32_BIT
#undef EMULATOR_ATOMIC_ALL_SCOPES
#undef EMULATOR_ATOMIC_CAS
#undef EMULATOR_ATOMIC

// Vectors (compute capability 9.0): each component is added atomically by itself, the vector is not
// one unit.
#define EMULATOR_ATOMIC_ADD_VECTORS(name, record)                                            \
  EMULATOR_INLINE float2 name(float2* address, float2 val) {                                 \
    using ::emulator::detail::atomic_add_real;                                               \
    EMULATOR_RECORD_ATOMIC(record, float2, real);                                            \
    return float2{atomic_add_real(&address->x, val.x), atomic_add_real(&address->y, val.y)}; \
  }                                                                                          \
  EMULATOR_INLINE float4 name(float4* address, float4 val) {                                 \
    using ::emulator::detail::atomic_add_real;                                               \
    EMULATOR_RECORD_ATOMIC(record, float4, real);                                            \
    return float4{atomic_add_real(&address->x, val.x), atomic_add_real(&address->y, val.y),  \
                  atomic_add_real(&address->z, val.z), atomic_add_real(&address->w, val.w)}; \
  }
EMULATOR_ATOMIC_ADD_VECTORS(atomicAdd, record_atomic)
EMULATOR_ATOMIC_ADD_VECTORS(atomicAdd_block, record_atomic)
EMULATOR_ATOMIC_ADD_VECTORS(atomicAdd_system, record_system_atomic)
#undef EMULATOR_ATOMIC_ADD_VECTORS
#undef EMULATOR_RECORD_ATOMIC

EMULATOR_DEVICE_ONLY_END
