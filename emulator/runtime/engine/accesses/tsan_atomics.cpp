/// \file
/// The atomic operations of g++ -fsanitize=thread: they are recorded, and done.

#include <cstdint>

#include "emulator/device/fences.h"
#include "engine/accesses/recording.hpp"
#include "events/atomic_forms.hpp"

namespace emulator::engine {
namespace {

// By a byte of the program's data threads see that a static object of a function's is ready. The
// thread that made it has not announced it otherwise.
inline void note_of_static_object(const volatile void* byte) {
  if (__builtin_expect(!is_handing_on(), 1) || current_lane != nullptr) return;
  if (within(reinterpret_cast<std::uintptr_t>(byte), __data_start, _end)) {
    thread_takes_over_from_all();
  }
}

}  // namespace
}  // namespace emulator::engine

using namespace emulator::engine;  // NOLINT: the hooks below live in the global namespace

#define EMULATOR_PC __builtin_return_address(0)

extern "C" {

// Under -fsanitize=thread std::atomic and the __atomic builtins end here, in host code too. They
// must do the operation; sequential consistency serves every order that may be asked for.
inline unsigned flags_of_order(int order) {
  return order >= __ATOMIC_RELEASE ? access_flags::is_ordered : 0U;
}
inline unsigned flags_of(AtomicOperation operation, unsigned bytes, int order) {
  return form_flags(form_of(operation, bytes, 0)) | flags_of_order(order);
}

#define EMULATOR_FETCH(bits, type, name, builtin, operation)                                     \
  type __tsan_atomic##bits##_##name(volatile type* p, type value, int order) {                   \
    poll(EMULATOR_PC);                                                                           \
    record(const_cast<type*>(p), bits / 8, atomic, EMULATOR_PC,                                  \
           flags_of(AtomicOperation::operation, bits / 8, order), access_flags::is_system_wide); \
    return builtin(p, value, __ATOMIC_SEQ_CST);                                                  \
  }
#define EMULATOR_COMPARE_EXCHANGE(bits, type, name, weak)                                      \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile type* p, type* expected,          \
                                                    type desired, int order, int) {            \
    poll(EMULATOR_PC);                                                                         \
    record(const_cast<type*>(p), bits / 8, atomic, EMULATOR_PC,                                \
           flags_of(AtomicOperation::compare, bits / 8, order), access_flags::is_system_wide); \
    record(expected, bits / 8, store, EMULATOR_PC);                                            \
    return __atomic_compare_exchange_n(p, expected, desired, weak, __ATOMIC_SEQ_CST,           \
                                       __ATOMIC_SEQ_CST)                                       \
               ? 1                                                                             \
               : 0;                                                                            \
  }
#define EMULATOR_ATOMIC(bits, type)                                                                \
  type __tsan_atomic##bits##_load(const volatile type* p, int) {                                   \
    poll(EMULATOR_PC);                                                                             \
    if (bits == 8) note_of_static_object(p);                                                       \
    record(const_cast<const type*>(p), bits / 8, load, EMULATOR_PC, access_flags::is_atomic);      \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile type* p, type value, int order) {                      \
    record(const_cast<type*>(p), bits / 8, store, EMULATOR_PC,                                     \
           access_flags::is_atomic | flags_of_order(order));                                       \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  EMULATOR_FETCH(bits, type, exchange, __atomic_exchange_n, exchange)                              \
  EMULATOR_FETCH(bits, type, fetch_add, __atomic_fetch_add, add)                                   \
  EMULATOR_FETCH(bits, type, fetch_sub, __atomic_fetch_sub, add)                                   \
  EMULATOR_FETCH(bits, type, fetch_and, __atomic_fetch_and, select)                                \
  EMULATOR_FETCH(bits, type, fetch_or, __atomic_fetch_or, select)                                  \
  EMULATOR_FETCH(bits, type, fetch_xor, __atomic_fetch_xor, select)                                \
  EMULATOR_FETCH(bits, type, fetch_nand, __atomic_fetch_nand, real)                                \
  EMULATOR_COMPARE_EXCHANGE(bits, type, strong, false)                                             \
  EMULATOR_COMPARE_EXCHANGE(bits, type, weak, true)                                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* p, type expected, type desired,   \
                                                  int order, int) {                                \
    record(const_cast<type*>(p), bits / 8, atomic, EMULATOR_PC,                                    \
           flags_of(AtomicOperation::compare, bits / 8, order), access_flags::is_system_wide);     \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }
EMULATOR_ATOMIC(8, std::uint8_t)
EMULATOR_ATOMIC(16, std::uint16_t)
EMULATOR_ATOMIC(32, std::uint32_t)
EMULATOR_ATOMIC(64, std::uint64_t)
#undef EMULATOR_ATOMIC
#undef EMULATOR_COMPARE_EXCHANGE
#undef EMULATOR_FETCH

void __tsan_atomic_thread_fence(int) {
  record_fence(false);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // extern "C"
