#pragma once
#pragma GCC system_header
/// \file
/// What the translator writes in place of PTX in the source calls these functions: those
/// instructions that are more than an expression.

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "emulator/device/async_copies.h"
#include "emulator/device/fences.h"
#include "emulator/device/group_products.h"
#include "emulator/device/matrix.h"
#include "emulator/device/mbarriers.h"
#include "emulator/device/special_registers.h"
#include "emulator/device/vector_types.h"
#include "emulator/device/warp.h"
#include "emulator/host/launch.h"
#include "emulator/host/tensor_maps.h"
#include "emulator/numbers/bits.h"
#include "emulator/numbers/math.h"
#include "emulator/ptx/ptx_atomics.h"
#include "emulator/ptx/ptx_bits.h"
#include "emulator/ptx/ptx_conversions.h"
#include "emulator/ptx/ptx_float16.h"
#include "emulator/ptx/ptx_floats.h"
#include "emulator/ptx/ptx_types.h"
#include "emulator/ptx/ptx_warp.h"

namespace emulator::detail {

/// The address of shared memory in 32 bits, which is not a pointer, and back. Anything else has
/// none: it ends the launch.
unsigned shared_address(const void* pointer);
void* shared_pointer(unsigned address);

}  // namespace emulator::detail

namespace emulator::ptx {

/// Ends the thread that calls it.
[[noreturn]] EMULATOR_UNSEEN inline void exit_thread() {
#if __cpp_exceptions
  throw ::emulator::detail::ThreadExit{};
#else
  __builtin_trap();
#endif
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
EMULATOR_PTX_VECTOR(u64, 2, ulonglong2)
EMULATOR_PTX_VECTOR(s64, 2, longlong2)
EMULATOR_PTX_VECTOR(s16, 2, short2)
EMULATOR_PTX_VECTOR(s16, 4, short4)
EMULATOR_PTX_VECTOR(s8, 2, char2)
EMULATOR_PTX_VECTOR(s8, 4, char4)
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
          class TypeA, class TypeB, class TypeC>
EMULATOR_LEAF TypeC mma(TypeA a, TypeB b, TypeC c) {
  static constexpr ::emulator::detail::MatrixProduct product{
      m, n, k, a_type, b_type, c_type, d_type, saturates, bits};
  TypeC d{};
  ::emulator::detail::multiply_matrices(product, &a, &b, &c, &d, "mma.sync",
                                        __builtin_return_address(0));
  return d;
}
/// mma.sync.m8n8k4 of halves: four products of 8 x 8 x 4.
template <bool a_by_columns, bool b_by_rows, ::emulator::detail::MatrixType c_type, class TypeA,
          class TypeB, class TypeC>
EMULATOR_LEAF TypeC mma_quads(TypeA a, TypeB b, TypeC c) {
  using ::emulator::detail::MatrixType;
  static constexpr ::emulator::detail::MatrixProduct product{8,
                                                             8,
                                                             4,
                                                             MatrixType::f16,
                                                             MatrixType::f16,
                                                             c_type,
                                                             c_type,
                                                             false,
                                                             {},
                                                             ::emulator::detail::MatrixForm::quads,
                                                             a_by_columns,
                                                             b_by_rows};
  TypeC d{};
  ::emulator::detail::multiply_matrices(product, &a, &b, &c, &d, "mma.sync",
                                        __builtin_return_address(0));
  return d;
}
/// mma.sp: A has half of its elements, and the metadata say which.
template <unsigned m, unsigned n, unsigned k, ::emulator::detail::MatrixType a_type,
          ::emulator::detail::MatrixType b_type, ::emulator::detail::MatrixType c_type,
          bool saturates, ::emulator::detail::MatrixForm form, class TypeA, class TypeB,
          class TypeC>
EMULATOR_LEAF TypeC mma_sparse(TypeA a, TypeB b, TypeC c, Registers<u32, 1> metadata,
                               u32 selector) {
  static constexpr ::emulator::detail::MatrixProduct product{
      m, n, k, a_type, b_type, c_type, c_type, saturates, {}, form};
  TypeC d{};
  ::emulator::detail::multiply_matrices(product, &a, &b, &c, &d, "mma.sp",
                                        __builtin_return_address(0), {metadata.value[0], selector});
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
