#pragma once
#pragma GCC system_header
/// \file
/// What the translator writes in place of PTX in the source calls these functions: those
/// instructions that are more than an expression.

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "emulator/async_copies.h"
#include "emulator/bits.h"
#include "emulator/fences.h"
#include "emulator/launch.h"
#include "emulator/math.h"
#include "emulator/matrix.h"
#include "emulator/mbarriers.h"
#include "emulator/special_registers.h"
#include "emulator/vector_types.h"
#include "emulator/warp.h"

namespace emulator::detail {

/// The address of shared memory in 32 bits, which is no pointer, and back. Anything else has none:
/// it ends the launch.
unsigned shared_address(const void* pointer);
void* shared_pointer(unsigned address);

}  // namespace emulator::detail

namespace emulator::ptx {

// Names of their own: who wants std::uint32_t has to include it, as for nvcc.
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;
using s8 = signed char;
using s16 = short;
using s32 = int;
using s64 = long;

/// The bits of a value as another type of the same size.
template <class To, class From>
EMULATOR_UNSEEN inline __attribute__((always_inline)) To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// An operand of an asm statement: its size must be that of the constraint.
template <class Register, class T>
EMULATOR_UNSEEN inline __attribute__((always_inline)) Register read(const T& value) {
  static_assert(sizeof(T) == sizeof(Register),
                "an operand of asm has another size than its constraint says");
  static_assert(std::is_floating_point_v<T> == std::is_floating_point_v<Register>,
                "an operand of asm has another type than its constraint says");
  return __builtin_bit_cast(Register, value);
}
template <class Register, class T>
EMULATOR_UNSEEN inline __attribute__((always_inline)) void write(T& target, Register value) {
  static_assert(sizeof(T) == sizeof(Register),
                "an operand of asm has another size than its constraint says");
  static_assert(std::is_floating_point_v<T> == std::is_floating_point_v<Register>,
                "an operand of asm has another type than its constraint says");
  target = __builtin_bit_cast(T, value);
}

template <class T, unsigned count>
struct Vector;
#define EMULATOR_PTX_VECTOR(T, count, name) \
  template <>                               \
  struct Vector<T, count> {                 \
    using type = ::name;                    \
  };
EMULATOR_PTX_VECTOR(float, 2, float2)
EMULATOR_PTX_VECTOR(float, 4, float4)
EMULATOR_PTX_VECTOR(double, 2, double2)
EMULATOR_PTX_VECTOR(u32, 2, uint2)
EMULATOR_PTX_VECTOR(u32, 4, uint4)
EMULATOR_PTX_VECTOR(s32, 2, int2)
EMULATOR_PTX_VECTOR(s32, 4, int4)
EMULATOR_PTX_VECTOR(u64, 2, ulong2)
EMULATOR_PTX_VECTOR(s64, 2, long2)
EMULATOR_PTX_VECTOR(u16, 2, ushort2)
EMULATOR_PTX_VECTOR(u16, 4, ushort4)
EMULATOR_PTX_VECTOR(u8, 2, uchar2)
EMULATOR_PTX_VECTOR(u8, 4, uchar4)
#undef EMULATOR_PTX_VECTOR

// Addresses: of shared memory in 32 bits, or a pointer.
EMULATOR_INLINE void* shared_pointer(u32 address, long long offset) {
  return static_cast<char*>(::emulator::detail::shared_pointer(address)) + offset;
}
EMULATOR_INLINE void* shared_pointer(u64 address, long long offset) {
  if (address >> 32 == 0) return shared_pointer(static_cast<u32>(address), offset);
  return reinterpret_cast<char*>(address) + offset;
}
EMULATOR_INLINE void* global_pointer(u64 address, long long offset) {
  return reinterpret_cast<char*>(address) + offset;
}
EMULATOR_INLINE u64 to_shared(u64 pointer) {
  return ::emulator::detail::shared_address(reinterpret_cast<const void*>(pointer));
}
EMULATOR_INLINE u64 from_shared(u64 address) {
  return reinterpret_cast<u64>(::emulator::detail::shared_pointer(static_cast<u32>(address)));
}

// Integers wrap round, signed ones too.
template <class T>
using Wide =
    std::conditional_t<sizeof(T) == 8,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                       std::conditional_t<std::is_signed_v<T>, s64, u64>>;
#define EMULATOR_PTX_ARITHMETIC(name, sign)                                                \
  template <class T>                                                                       \
  EMULATOR_LEAF T name(T a, T b) {                                                         \
    if constexpr (std::is_floating_point_v<T>) {                                           \
      return a sign b;                                                                     \
    } else {                                                                               \
      using Bits = std::make_unsigned_t<Wide<std::conditional_t<sizeof(T) == 2, int, T>>>; \
      return static_cast<T>(static_cast<Bits>(a) sign static_cast<Bits>(b));               \
    }                                                                                      \
  }
EMULATOR_PTX_ARITHMETIC(add, +)
EMULATOR_PTX_ARITHMETIC(sub, -)
EMULATOR_PTX_ARITHMETIC(mul, *)
EMULATOR_PTX_ARITHMETIC(mul_lo, *)
#undef EMULATOR_PTX_ARITHMETIC
template <class T>
EMULATOR_LEAF T mul_hi(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b) >> (8 * sizeof(T)));
}
template <class T>
EMULATOR_LEAF Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
template <class T>
EMULATOR_LEAF T fma(T a, T b, T c) {
  if constexpr (sizeof(T) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
}
template <class T>
EMULATOR_LEAF T min(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4
               ? static_cast<T>(__builtin_fminf(static_cast<float>(a), static_cast<float>(b)))
               : static_cast<T>(__builtin_fmin(a, b));
  } else {
    return a < b ? a : b;
  }
}
template <class T>
EMULATOR_LEAF T max(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4
               ? static_cast<T>(__builtin_fmaxf(static_cast<float>(a), static_cast<float>(b)))
               : static_cast<T>(__builtin_fmax(a, b));
  } else {
    return a > b ? a : b;
  }
}
template <class T>
EMULATOR_LEAF T neg(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return -a;
  } else {
    return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
  }
}
template <class T>
EMULATOR_LEAF T abs(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? static_cast<T>(__builtin_fabsf(static_cast<float>(a)))
                          : static_cast<T>(__builtin_fabs(a));
  } else {
    return a < 0 ? neg(a) : a;
  }
}

template <class T>
EMULATOR_LEAF T and_bits(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
EMULATOR_LEAF T or_bits(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
EMULATOR_LEAF T xor_bits(T a, T b) {
  return static_cast<T>(a ^ b);
}
/// By as many bits as there are, or more: nothing is left, or only the sign.
template <class T>
EMULATOR_LEAF T shift_left(T a, u32 by) {
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << by);
}
template <class T>
EMULATOR_LEAF T shift_right(T a, u32 by) {
  if (by >= 8 * sizeof(T)) by = std::is_signed_v<T> ? 8 * sizeof(T) - 1 : 8 * sizeof(T);
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(a >> by);
}
/// Any function of three bits, whose table of results is `table`.
EMULATOR_LEAF u32 lop3(u32 a, u32 b, u32 c, unsigned table) {
  u32 result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((table >> i & 1U) == 0) continue;
    result |= ((i & 4U) != 0 ? a : ~a) & ((i & 2U) != 0 ? b : ~b) & ((i & 1U) != 0 ? c : ~c);
  }
  return result;
}
/// Four of eight bytes; with the highest bit of its selector set, a byte is the sign of that one.
EMULATOR_LEAF u32 prmt(u32 a, u32 b, u32 selectors) {
  const u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned selector = selectors >> (4 * i) & 15U;
    auto byte = static_cast<u32>(bytes >> (8 * (selector & 7U)) & 0xFFU);
    if ((selector & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xFFU : 0;
    result |= byte << (8 * i);
  }
  return result;
}
/// `length` bits from `first` on; signed ones are filled with the highest of them.
template <class T>
EMULATOR_LEAF T bfe(T value, u32 first, u32 length) {
  constexpr u32 bits = 8 * sizeof(T);
  first &= 0xFFU;
  length &= 0xFFU;
  using Bits = std::make_unsigned_t<T>;
  if (length == 0) return 0;
  const u32 highest = first + length - 1 < bits - 1 ? first + length - 1 : bits - 1;
  const bool sign = std::is_signed_v<T> && (static_cast<Bits>(value) >> highest & 1U) != 0;
  Bits result = 0;
  for (u32 i = 0; i < bits; ++i) {
    const bool is_inside = i < length && first + i < bits;
    const bool bit = is_inside ? (static_cast<Bits>(value) >> (first + i) & 1U) != 0 : sign;
    if (bit) result |= Bits{1} << i;
  }
  return static_cast<T>(result);
}
/// `into`, with the lowest `length` bits of `value` from `first` on.
template <class T>
EMULATOR_LEAF T bfi(T value, T into, u32 first, u32 length) {
  first &= 0xFFU;
  length &= 0xFFU;
  for (u32 i = 0; i < length && first + i < 8 * sizeof(T); ++i) {
    const T bit = T{1} << (first + i);
    into = (value >> i & 1U) != 0 ? into | bit : into & ~bit;
  }
  return into;
}

/// Barrier 0 of all threads is __syncthreads().
EMULATOR_INLINE void barrier_sync(u32 number, u32 threads) {
  if (number == 0 && (threads == 0 || threads == blockDim.x * blockDim.y * blockDim.z)) {
    ::emulator::detail::block_barrier();
  } else {
    ::emulator::detail::named_barrier(number, threads, false);
  }
}

/// Registers in braces.
template <class T, unsigned count>
struct Registers {
  T value[count];
};

/// mma.sync. None of these functions is inlined: the registers would be memory of the kernel's.
template <unsigned m, unsigned n, unsigned k, ::emulator::detail::MatrixType a_type,
          ::emulator::detail::MatrixType b_type, ::emulator::detail::MatrixType c_type,
          ::emulator::detail::MatrixType d_type, bool saturates,
          ::emulator::detail::BitOperation bits = ::emulator::detail::BitOperation::exclusive_or,
          class A, class B, class C>
EMULATOR_LEAF C mma(A a, B b, C c) {
  static constexpr ::emulator::detail::MatrixProduct product{
      m, n, k, a_type, b_type, c_type, d_type, saturates, bits};
  C d{};
  ::emulator::detail::multiply_matrices(product, &a, &b, &c, &d, "mma.sync",
                                        __builtin_return_address(0));
  return d;
}
template <unsigned count, bool is_transposed>
EMULATOR_LEAF Registers<u32, count> ldmatrix(const void* row) {
  Registers<u32, count> loaded{};
  ::emulator::detail::load_matrices(count, is_transposed, row, loaded.value,
                                    __builtin_return_address(0));
  return loaded;
}
template <unsigned count, bool is_transposed>
EMULATOR_LEAF void stmatrix(void* row, Registers<u32, count> registers) {
  ::emulator::detail::store_matrices(count, is_transposed, row, registers.value,
                                     __builtin_return_address(0));
}

/// A warp gives registers back, or asks for more. Here it has as many as it needs.
template <long long count>
EMULATOR_INLINE void set_registers() {
  static_assert(count >= 24 && count <= 256 && count % 8 == 0,
                "setmaxnreg takes a multiple of 8 from 24 to 256");
}

template <long long bytes>
constexpr unsigned only_16() {
  static_assert(bytes == 16, "cp.async.cg copies 16 bytes");
  return 16;
}
template <long long bytes>
EMULATOR_UNSEEN inline unsigned zeros(u32 read) {
  return read < bytes ? static_cast<unsigned>(bytes) - read : 0;
}

}  // namespace emulator::ptx

EMULATOR_DEVICE_ONLY_BEGIN
/// The address of shared memory that PTX in the source takes.
EMULATOR_INLINE std::size_t __cvta_generic_to_shared(const void* pointer) {
  return ::emulator::detail::shared_address(pointer);
}
EMULATOR_INLINE void* __cvta_shared_to_generic(std::size_t address) {
  return ::emulator::detail::shared_pointer(static_cast<unsigned>(address));
}
EMULATOR_INLINE std::size_t __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<std::size_t>(pointer);
}
EMULATOR_INLINE void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
EMULATOR_DEVICE_ONLY_END
