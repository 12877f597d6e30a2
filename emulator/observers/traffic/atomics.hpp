#pragma once
/// \file
/// How the hardware carries out an atomic operation of a warp. The one place that says it, for
/// shared and for global memory; measured with Nsight Compute on an H200
/// (emulator/evidence/counters/kernels/atomics.cuh), since no document of NVIDIA's says it.
///
/// In **shared memory** a bank serves one *lane* at a time: of the lanes that want a bank each
/// takes a wavefront, whether they want one word of it or several. With 8 bytes per lane 16 lanes
/// are served together, with up to 4 bytes all 32. A compare-and-swap takes two wavefronts where
/// others take one. For sums of floating-point numbers and for most operations on 8 bytes there is
/// no instruction: the compiler writes a loop of a load and a compare-and-swap, in each round of
/// which one lane a bank gets through. Where every lane adds 1 and nobody asks for the sum, the
/// hardware counts the lanes of a word in one step: then it is *words*, as for loads, that get in
/// each other's way.
///
/// In **global memory** the level-2 cache does the work, sector by sector: a sector counts once for
/// each of the lanes that want the same element of it, at the element where they are most. (One of
/// the patterns that were tried, 8-byte elements scattered over 15 sectors, the hardware counts as
/// 16. Why, we do not know.)
///
/// Where the compiler can see that all lanes mean one address it has the warp's values added up
/// first, and one lane goes.

#include <cstdint>

#include "base/rooms.hpp"
#include "events/atomic_forms.hpp"
#include "observers/traffic/banks.hpp"
#include "observers/traffic/sectors.hpp"

namespace emulator::traffic {

/// What an atomic instruction of shared memory takes.
struct SharedAtomicCost {
  unsigned instructions = 0;         ///< more than 1 for a loop
  unsigned wavefronts = 0;           ///< of the atomic instructions alone
  unsigned bank_conflicts = 0;       ///< of the same, as the hardware counts them: none for a loop
  unsigned load_instructions = 0;    ///< a loop's, one a round
  unsigned load_wavefronts = 0;      ///< of these
  unsigned load_bank_conflicts = 0;  ///< of the same
  unsigned ideal_wavefronts = 0;     ///< all that it would take if no lane got in another's way
};
SharedAtomicCost shared_atomic_cost(SharedRequest request, AtomicForm form);

/// The lanes of an atomic instruction that are served together, in their order.
LaneGroups atomic_groups(const SharedRequest& request);

/// How many of these lanes want each bank: for 8 bytes per lane the first of its two.
std::array<unsigned, bank_count> lanes_by_bank(const SharedRequest& request, std::uint32_t lanes);

/// The form's name in the report.
const char* name_of(AtomicForm form);

/// The sectors of an atomic instruction of global memory, and the distinct bytes.
/// \param addresses of the elements that each active lane means, of `bytes`
GlobalCost global_atomic_cost(const std::uint64_t* addresses, unsigned active, unsigned bytes,
                              AtomicForm form);

}  // namespace emulator::traffic
