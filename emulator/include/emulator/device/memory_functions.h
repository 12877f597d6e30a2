#pragma once
#pragma GCC system_header
/// \file
/// What the translator has a program's `memcpy`, `memmove`, `memset` and `memcmp` be, by these
/// names or with `__builtin_` before them. g++ copies without a word to the instrumentation, inline
/// or in the C library; in a kernel that is instrumented these tell of each byte. One byte an
/// instruction is what nvcc makes of them, whatever the pointers' types are.

#include <cstddef>

#include "emulator/inline.h"

namespace emulator::detail {

void* copy_bytes(void* to, const void* from, std::size_t bytes);
void* set_bytes(void* to, int value, std::size_t bytes);
int compare_bytes(const void* a, const void* b, std::size_t bytes);

}  // namespace emulator::detail

#ifdef EMULATOR_FAST
EMULATOR_INLINE void* emulator_memcpy(void* to, const void* from, std::size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
EMULATOR_INLINE void* emulator_memmove(void* to, const void* from, std::size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
EMULATOR_INLINE void* emulator_memset(void* to, int value, std::size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
EMULATOR_INLINE constexpr int emulator_memcmp(const void* a, const void* b, std::size_t bytes) {
  return __builtin_memcmp(a, b, bytes);
}
#else
EMULATOR_INLINE void* emulator_memcpy(void* to, const void* from, std::size_t bytes) {
  return ::emulator::detail::copy_bytes(to, from, bytes);
}
EMULATOR_INLINE void* emulator_memmove(void* to, const void* from, std::size_t bytes) {
  return ::emulator::detail::copy_bytes(to, from, bytes);
}
EMULATOR_INLINE void* emulator_memset(void* to, int value, std::size_t bytes) {
  return ::emulator::detail::set_bytes(to, value, bytes);
}
EMULATOR_INLINE constexpr int emulator_memcmp(const void* a, const void* b, std::size_t bytes) {
  if (__builtin_is_constant_evaluated()) return __builtin_memcmp(a, b, bytes);
  return ::emulator::detail::compare_bytes(a, b, bytes);
}
#endif

// Programs may write std::memcpy.
namespace std {
using ::emulator_memcmp;
using ::emulator_memcpy;
using ::emulator_memmove;
using ::emulator_memset;
}  // namespace std
