#pragma once
#pragma GCC system_header
/// \file
/// Loads and stores of PTX that are one access whatever happens, and its atomic operations.

#include "emulator/device/atomics.h"
#include "emulator/numbers/float16_atomics.h"
#include "emulator/ptx/ptx_float16.h"

namespace emulator::ptx {

/// 16 bytes that are also moved at once.
using Quadword [[gnu::vector_size(16), gnu::may_alias]] = u64;

/// An unsigned type of the same size.
template <class T>
using Word = std::conditional_t<
    sizeof(T) == 1, u8,
    std::conditional_t<sizeof(T) == 2, u16, std::conditional_t<sizeof(T) == 4, u32, u64>>>;

template <class T>
EMULATOR_INLINE T load_strong(const void* address) {
  if constexpr (sizeof(T) == sizeof(Quadword)) {
    return as<T>(Quadword{*static_cast<const volatile Quadword*>(address)});
  } else {
    return as<T>(__atomic_load_n(static_cast<const Word<T>*>(address), __ATOMIC_RELAXED));
  }
}
template <class T>
EMULATOR_INLINE void store_strong(void* address, T value) {
  if constexpr (sizeof(T) == sizeof(Quadword)) {
    *static_cast<volatile Quadword*>(address) = as<Quadword>(value);
  } else {
    __atomic_store_n(static_cast<Word<T>*>(address), as<Word<T>>(value), __ATOMIC_RELAXED);
  }
}

/// The sum of what is at an address and a value, as PTX's types have it.
template <class T>
EMULATOR_LEAF T added(void* address, T value) noexcept {
  if constexpr (is_16<T>) {
    return {::emulator::detail::atomic_add16<Format<T>>(address, value.bits)};
  } else if constexpr (std::is_same_v<T, f16x2> || std::is_same_v<T, bf16x2>) {
    using Single = Element<T>;
    auto* const halves = static_cast<u16*>(address);
    const u32 low = added<Single>(halves, {static_cast<u16>(value.bits)}).bits;
    const u32 high = added<Single>(halves + 1, {static_cast<u16>(value.bits >> 16)}).bits;
    return {high << 16 | low};
  } else if constexpr (is_real<T>) {
    return ::emulator::detail::atomic_add_real<T>(static_cast<T*>(address), value);
  } else {
    return ::emulator::detail::atomic_add<T>(static_cast<T*>(address), value);
  }
}
template <>
EMULATOR_LEAF float2 added(void* address, float2 value) noexcept {
  auto* const at = static_cast<float*>(address);
  return {added<float>(at, value.x), added<float>(at + 1, value.y)};
}
template <>
EMULATOR_LEAF float4 added(void* address, float4 value) noexcept {
  auto* const at = static_cast<float*>(address);
  return {added<float>(at, value.x), added<float>(at + 1, value.y), added<float>(at + 2, value.z),
          added<float>(at + 3, value.w)};
}

/// Tells the runtime of the operation, in the line of the kernel. `red` has no result.
EMULATOR_INLINE void note_atom(const void* address, unsigned bytes,
                               ::emulator::detail::AtomicOperation operation, bool has_no_result) {
  if (has_no_result) {
    ::emulator::detail::note_atomic(address, ::emulator::detail::atomic_hints::unused);
  }
  ::emulator::detail::record_system_atomic(address, bytes,
                                           operation);  // its scope is not looked at
}

#define EMULATOR_PTX_ATOM(name, kind, operation)                                             \
  template <class T>                                                                         \
  EMULATOR_INLINE T atom_##name(void* address, T value, bool has_no_result) {                \
    note_atom(address, sizeof(T), ::emulator::detail::AtomicOperation::kind, has_no_result); \
    return operation(static_cast<T*>(address), value);                                       \
  }
EMULATOR_PTX_ATOM(min, select, ::emulator::detail::atomic_min<T>)
EMULATOR_PTX_ATOM(max, select, ::emulator::detail::atomic_max<T>)
EMULATOR_PTX_ATOM(and, select, ::emulator::detail::atomic_and<T>)
EMULATOR_PTX_ATOM(or, select, ::emulator::detail::atomic_or<T>)
EMULATOR_PTX_ATOM(xor, select, ::emulator::detail::atomic_xor<T>)
EMULATOR_PTX_ATOM(inc, ring, ::emulator::detail::atomic_inc<T>)
EMULATOR_PTX_ATOM(dec, ring, ::emulator::detail::atomic_dec<T>)
EMULATOR_PTX_ATOM(exch, exchange, ::emulator::detail::atomic_exch<T>)
#undef EMULATOR_PTX_ATOM
template <class T>
EMULATOR_INLINE T atom_add(void* address, T value, bool has_no_result) {
  using ::emulator::detail::AtomicOperation;
  note_atom(address, sizeof(T),
            std::is_integral_v<T> ? AtomicOperation::add : AtomicOperation::real, has_no_result);
  return added<T>(address, value);
}
template <class T>
EMULATOR_INLINE T atom_cas(void* address, T compare, T value, bool has_no_result) {
  note_atom(address, sizeof(T), ::emulator::detail::AtomicOperation::compare, has_no_result);
  return ::emulator::detail::atomic_cas<T>(static_cast<T*>(address), compare, value);
}

}  // namespace emulator::ptx
