/// \file
/// Bulk copies to several blocks of a cluster, and between them.

#include <bit>
#include <cstdint>

#include "emulator/device/clusters.h"
#include "emulator/device/mbarriers.h"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"

namespace emulator::engine {

unsigned checked_blocks(Lane& lane, unsigned blocks, const void* pc) {
  blocks &= 0xFFFFU;
  const unsigned all = (1U << cluster_blocks()) - 1;
  if ((blocks & ~all) != 0 || blocks == 0) {
    refuse(lane, pc, failed_kernel,
           "a multicast copy goes to the blocks of the mask 0x%04x, and the cluster has only those "
           "of 0x%04x",
           blocks, all);
  }
  return blocks;
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void bulk_copy_in_multicast(void* shared, const void* global, std::size_t bytes, void* barrier,
                            unsigned blocks) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  BulkCopy copy;
  for (unsigned rest = checked_blocks(*lane, blocks, pc); rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<unsigned>(std::countr_zero(rest));
    start_bulk_copy(*lane, copy, shared_of_block(shared, rank), global, bytes,
                    shared_of_block(barrier, rank), pc);
    copy.is_repeated = true;
  }
}

// The source is read when the copy arrives, which is as late as it may be.
void bulk_copy_to_block(void* to, const void* from, std::size_t bytes, void* barrier) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  BulkCopy copy;
  copy.is_from_shared = true;
  if (!lane->worker->grid().has_explicit_clusters()) {
    refuse(*lane, pc, needs_clusters, "a copy to shared::cluster in a launch without clusters");
  }
  if (lane->worker->seat().owner_of(address_of(to)) !=
      lane->worker->seat().owner_of(address_of(barrier))) {
    refuse(
        *lane, pc, misuse,
        "a copy between blocks of a cluster signals an mbarrier in another block than its target");
  }
  start_bulk_copy(*lane, copy, to, from, bytes, barrier, pc);
}

}  // namespace emulator::detail
