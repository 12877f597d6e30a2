#include "engine/barriers/syncthreads.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/engine.hpp"

namespace emulator::engine {

bool Syncthreads::release(RunningBlock& block) {
  std::uint32_t come = 0;
  for (const Warp& warp : block.warps()) {
    come |= warp.at(Wait::block_barrier);
    if ((warp.at(Wait::block_barrier) | warp.at(Wait::ended)) != warp.all()) {
      block.worker().report_deadlock();
    }
  }
  if (come == 0) return false;
  if (votes_) count_votes(block);
  if (block.details() != nullptr) check_barrier(block);
  block.release(Wait::block_barrier);
  return true;
}

// All live threads wait at barriers of the block, some of which are not the plain one.
void Syncthreads::count_votes(RunningBlock& block) {
  int count = 0;
  bool all = true;
  const Lane* first = nullptr;
  for (Lane& lane : block.lanes()) {
    if (waits_for(lane, Wait::ended)) continue;
    if (first == nullptr) first = &lane;
    if (lane.barrier != first->barrier) {
      lane.worker->fail_for(&lane, cudaErrorLaunchFailure,
                            "threads of one block wait at different kinds of __syncthreads",
                            "divergent-barrier", lane.barrier_pc);
    }
    count += lane.predicate != 0 ? 1 : 0;
    all = all && lane.predicate != 0;
  }
  const int result = first->barrier == BarrierKind::count ? count
                     : first->barrier == BarrierKind::all ? int{all}
                                                          : int{count > 0};
  for (Lane& lane : block.lanes()) lane.predicate = result;
  votes_ = false;
}

void check_barrier(const RunningBlock& block) {
  const std::vector<Lane>& lanes = block.lanes();
  const auto first = std::find_if(lanes.begin(), lanes.end(),
                                  [](const Lane& lane) { return !waits_for(lane, Wait::ended); });
  for (const Lane& lane : lanes) {
    const unsigned thread = block.number_of(lane);
    const unsigned first_thread = block.number_of(*first);
    if (!waits_for(lane, Wait::ended)) {
      if (lane.barrier_pc != first->barrier_pc) {
        block.details()->faults.two_barriers(first->barrier_pc, first_thread, lane.barrier_pc,
                                             thread);
      }
    } else if (lane.progress->passed_by(*first->progress, first->depth, first->barrier_pc)) {
      block.details()->faults.passed_barrier(first->barrier_pc, first_thread, thread);
    }
  }
  block.details()->sync.block_synchronised(block.first_thread());
}

}  // namespace emulator::engine
