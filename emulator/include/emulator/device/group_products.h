#pragma once
#pragma GCC system_header
/// \file
/// Products of a warpgroup (wgmma): four warps multiply matrices in shared memory while their
/// threads do something else.
///
/// Each warp has 16 of the 64 rows. A product does its work at the latest legal moment: when the
/// warp waits for its group. Until then the accumulators keep what they held, and shared memory is
/// not read: a kernel that does not wait, or overwrites a tile too early, gets a wrong result.

#include "emulator/device/matrix.h"
#include "emulator/inline.h"

namespace emulator::detail {

/// What an instruction's name and its constants say.
struct GroupProduct {
  MatrixProduct part;  ///< a warp's: of 16 rows
  bool a_is_shared;
  bool turns_a, turns_b;      ///< stored with its rows (A) or columns (B) side by side
  bool negates_a, negates_b;  ///< is multiplied by -1
};

/// Starts D = A B, or `adds` D = A B + D.
/// \param registers where the thread's registers of D are, which are written when it waits
/// \param a its registers of A, or null
/// \param a_matrix, b_matrix descriptors of matrices in shared memory
void start_group_product(const GroupProduct& product, void* const* registers, unsigned count,
                         const unsigned* a, unsigned long a_matrix, unsigned long b_matrix,
                         bool adds, const void* site);

/// What the thread has done to its registers comes before the products that it starts from now on.
void group_fence();
void group_commit();
/// Waits for all committed groups but the newest `newest`.
void group_wait(unsigned newest);

}  // namespace emulator::detail

namespace emulator::ptx {

/// Where registers are that are written later.
template <unsigned count>
struct Accumulators {
  void* value[count];
};

/// wgmma.mma_async. Not inlined: the pointers would be memory of the kernel's.
template <unsigned n, unsigned k, ::emulator::detail::MatrixType a_type,
          ::emulator::detail::MatrixType b_type, ::emulator::detail::MatrixType d_type,
          bool saturates, long long scale_a, long long scale_b, long long turns_a,
          long long turns_b, unsigned count>
EMULATOR_LEAF void wgmma(Accumulators<count> d, unsigned long a, unsigned long b, bool adds) {
  static_assert((scale_a == 1 || scale_a == -1) && (scale_b == 1 || scale_b == -1),
                "wgmma multiplies A and B by 1 or -1");
  static_assert((turns_a == 0 || turns_a == 1) && (turns_b == 0 || turns_b == 1),
                "wgmma takes A and B as they are, 0, or transposed, 1");
  static constexpr ::emulator::detail::GroupProduct product{
      {16, n, k, a_type, b_type, d_type, d_type, saturates},
      true,
      turns_a == 1,
      turns_b == 1,
      scale_a == -1,
      scale_b == -1};
  ::emulator::detail::start_group_product(product, d.value, count, nullptr, a, b, adds,
                                          __builtin_return_address(0));
}
/// The same with A in registers.
template <unsigned n, unsigned k, ::emulator::detail::MatrixType a_type,
          ::emulator::detail::MatrixType b_type, ::emulator::detail::MatrixType d_type,
          bool saturates, long long scale_a, long long scale_b, long long turns_a,
          long long turns_b, unsigned count, class TypeA>
EMULATOR_LEAF void wgmma(Accumulators<count> d, TypeA a, unsigned long b, bool adds) {
  static_assert((scale_a == 1 || scale_a == -1) && (scale_b == 1 || scale_b == -1),
                "wgmma multiplies A and B by 1 or -1");
  static_assert(turns_a == 0 && (turns_b == 0 || turns_b == 1),
                "wgmma takes B as it is, 0, or transposed, 1");
  static constexpr ::emulator::detail::GroupProduct product{
      {16, n, k, a_type, b_type, d_type, d_type, saturates},
      false,
      false,
      turns_b == 1,
      scale_a == -1,
      scale_b == -1};
  ::emulator::detail::start_group_product(product, d.value, count, a.value, 0, b, adds,
                                          __builtin_return_address(0));
}

}  // namespace emulator::ptx
