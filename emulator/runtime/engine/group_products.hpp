#pragma once
/// \file
/// The products of warpgroups (wgmma) that the running block has started and not waited for.

namespace emulator::detail {

/// The block has ended, or failed. What nobody has waited for is dropped.
void clear_group_products();

/// What is wrong with the products of a block that ends.
struct GroupProblem {
  enum class What { none, not_awaited, not_committed, warps_missing };
  What what = What::none;
  const void* site = nullptr;
  unsigned thread = 0;
};
GroupProblem group_problem();

}  // namespace emulator::detail
