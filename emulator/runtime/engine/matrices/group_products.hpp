#pragma once
/// \file
/// The products of warpgroups (wgmma) that the running block has started and not waited for.

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/device/group_products.h"
#include "engine/matrices/operand_layouts.hpp"
#include "events/async_events.hpp"
#include "events/trace.hpp"

namespace emulator::engine {

struct Lane;

inline constexpr unsigned warps_of_group = 4;

/// A product that a warp has started: what each lane has brought.
struct WarpProduct {
  static constexpr unsigned most_registers = 128;
  struct Part {
    std::array<void*, most_registers> registers;
    std::array<unsigned, 4> a;
  };
  const GroupProduct* product = nullptr;
  std::uint64_t a = 0;  ///< descriptors
  std::uint64_t b = 0;
  std::uintptr_t a_start = 0;  ///< where their matrices begin
  std::uintptr_t b_start = 0;
  bool adds = false;
  const void* site = nullptr;
  unsigned registers = 0;     ///< of each lane's part of D
  std::size_t operands = 0;   ///< number of the bulk copy that stands for them
  bool has_operands = false;  ///< for the checks
  std::array<Part, warp_size> lanes;
};

/// Does the product now, for all lanes of the lane's warp.
void perform(Lane& lane, const WarpProduct& made);

/// Where a descriptor's matrix begins. Outside of shared memory there is none.
std::uintptr_t start_of(Lane& lane, const MatrixDescriptor& descriptor, const void* site);

/// The first row of A that is the warp's.
unsigned first_line_of_a(const Lane& lane);

/// The block has ended, or failed. What nobody has waited for is dropped.
void clear_group_products();

/// What is wrong with the products of a block that ends.
GroupProblem group_problem();

}  // namespace emulator::engine
