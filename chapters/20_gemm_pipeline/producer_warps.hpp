/// @file
/// A block whose warps share the work: four producer warps only copy, the others only multiply.
///
/// The consumer warps issue nothing but loads from shared memory and multiply-adds. They get the
/// registers that the producers do not need. No barrier stops the whole block: each stage has two
/// barriers in shared memory. One says that its tiles have arrived; the other, that all consumer
/// threads have read them. So copies run ahead by the number of stages, even into the block's next
/// tile of C.
///
/// One thread copies each tile of B with a single instruction, by a tensor map. What is out of
/// bounds arrives as 0. Maps need rows that are aligned to 16 bytes: any other B was copied before
/// (pack.hpp). The copies of A come in two kinds:
///
/// - Direct: the four warps copy A as in tiles.hpp, which transposes it.
/// - Packed: A was packed before (pack.hpp). Each of its tiles is then contiguous, and one thread
///   copies all that a stage needs with two instructions.
#pragma once

#include <algorithm>
#include <cuda/ptx>

#include "early.hpp"
#include "epilogue.hpp"
#include "ring.hpp"
#include "tensor_map.hpp"

namespace ours {

namespace ptx = cuda::ptx;

constexpr int producer_threads =
    128;  ///< threads: a warpgroup, the unit in which registers are reassigned

using course::PipelineState;
using course::Ring;
using course::setmaxnreg_dec;
using course::setmaxnreg_inc;
#ifndef COURSE_OLDER_THAN_HOPPER
using course::arrive;
using course::wait;
#endif

#ifndef COURSE_OLDER_THAN_HOPPER
/// By thread 0: this many bytes will arrive asynchronously, and complete the stage only then.
inline __device__ void expect_bytes(std::uint64_t& full, int bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, bytes);
}

/// B's tile by its tensor map. One thread calls it.
template <class T>
__device__ void copy_B_by_map(std::uint32_t stage, std::uint64_t& full, const CUtensorMap& map,
                              int2 place, int step) {
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                            __cvta_shared_to_generic(stage + T::A_floats * 4), &map,
                            {place.y * T::cols, step * T::depth}, &full);
}
#endif

/// The four warps copy A.
/// @tparam through_ to C through shared memory: its rows may begin anywhere
template <bool through_>
struct Direct {
  static constexpr bool through = through_;
  static constexpr int threads = producer_threads;       ///< of the producers
  static constexpr int arrivals = producer_threads + 1;  ///< at the barrier of a stage

  template <class T>
  static __device__ void copy(std::uint32_t stage, std::uint64_t& full, const Product& g,
                              const CUtensorMap& B_map, int2 place, int step, int thread) {
#ifndef COURSE_OLDER_THAN_HOPPER
    copy_A<T, producer_threads>(stage, g, place.x * T::rows, step * T::depth, thread);
    if (thread == 0) {
      expect_bytes(full, T::depth * T::cols * 4);
      copy_B_by_map<T>(stage, full, B_map, place, step);
    }
    ptx::cp_async_mbarrier_arrive_noinc(&full);  // when the thread's copies have arrived
#endif
  }
};

/// A's tiles are packed one after the other, row of tiles by row of tiles.
/// @tparam through_ as for Direct
template <bool through_>
struct Packed {
  static constexpr bool through = through_;
  static constexpr int threads = 1;
  static constexpr int arrivals = 1;

  template <class T>
  static __device__ void copy(std::uint32_t stage, std::uint64_t& full, const Product& g,
                              const CUtensorMap& B_map, int2 place, int step, int /*thread*/) {
#ifndef COURSE_OLDER_THAN_HOPPER
    const std::int64_t steps = (g.k - 1) / T::depth + 1;
    expect_bytes(full, T::floats * 4);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, __cvta_shared_to_generic(stage),
                       g.A + (place.x * steps + step) * T::A_floats, T::A_floats * 4, &full);
    copy_B_by_map<T>(stage, full, B_map, place, step);
#endif
  }
};

/// Registers per thread when a block begins: the multiprocessor's 65,536, in multiples of eight.
template <class T>
constexpr int registers_at_launch =
    std::min(65536 / (T::resident * (T::threads + producer_threads)) / 8 * 8, 168);
/// Registers of a producer thread ...
template <class T>
constexpr int producer_registers = T::resident == 1 ? 56 : 48;
/// ... and of a consumer thread: including those that the producers have released.
template <class T>
constexpr int consumer_registers = std::min((registers_at_launch<T> *
                                                 (T::threads + producer_threads) -
                                             producer_registers<T> * producer_threads) /
                                                T::threads / 8 * 8,
                                            240);

/// Steps per iteration of the inner loop. Where a thread has 64 sums and an iteration two steps,
/// its branch and counters are one of fifteen instructions. With eight steps they hardly count.
template <class T>
constexpr int steps_at_once = T::R* T::C <= 64 ? 8 : 2;

template <class T, class Copies>
__global__ void __launch_bounds__(T::threads + producer_threads, T::resident)
    gemm_producer_warps(const __grid_constant__ CUtensorMap B_map, const Product g,
                        const Plan plan) {
#ifndef COURSE_OLDER_THAN_HOPPER
  extern __shared__ __align__(128) float tiles[];  // the alignment that a map's copies require
  float* stages = tiles;
  __shared__ Ring<T> ring;
  // Sums go to C through shared memory where its rows may begin anywhere.
  constexpr bool through = Copies::through;
  using Sums = ours::Sums<T, T::R * T::C <= 64>;
  __shared__ alignas(16) float room[through ? T::threads / 32 : 1][through ? Sums::room : 4];
  if (threadIdx.x == 0) {
    for (int s = 0; s < T::stages; ++s) {
      ptx::mbarrier_init(&ring.full[s], Copies::arrivals);
      ptx::mbarrier_init(&ring.empty[s], T::threads);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  TileScheduler scheduler(plan);
  PipelineState<T> state;

  if (threadIdx.x >= T::threads) {  // producers
    setmaxnreg_dec<producer_registers<T>>();
    const int thread = threadIdx.x - T::threads;
    if (thread >= Copies::threads) return;
    const std::uint32_t first_stage = shared_address(stages);
    wait_for_dependencies();  // A or B may have been packed just before
    while (scheduler.next(plan)) {
      const int2 place = plan.place_of(scheduler.tile);
      for (int step = scheduler.first; step < scheduler.last; ++step) {
        wait(ring.empty[state.stage], state.parity ^ 1);  // the first time at once
        Copies::template copy<T>(first_stage + state.stage * T::floats * 4, ring.full[state.stage],
                                 g, B_map, place, step, thread);
        state.next();
      }
    }
    // No thread leaves before all that it has copied was read.
    for (int s = 0; s < T::stages; ++s) {
      wait(ring.empty[state.stage], state.parity ^ 1);
      state.next();
    }
    return;
  }

  setmaxnreg_inc<consumer_registers<T>>();
  Sums sums;
  course::ConsumerBroadcast<T> broadcast(ring.answer);
  while (scheduler.next(plan)) {
    sums.clear();
    int before = -1;
    if (g.beta != 0.0F && scheduler.last == plan.steps) {
      const int2 place = plan.place_of(scheduler.tile);
      prefetch_C<T, T::threads>(g, place.x * T::rows, place.y * T::cols, threadIdx.x);
    }
    if (scheduler.first < scheduler.last) {
      wait(ring.full[state.stage], state.parity);
      sums.read_first(stages + state.stage * T::floats);
    }
    for (int step = scheduler.first; step < scheduler.last; ++step) {
      if (before >= 0) arrive(ring.empty[before]);
      const float* stage = stages + state.stage * T::floats;
      before = state.stage;
      state.next();
      sums.template steps_ahead<steps_at_once<T>>(stage, g.k - step * T::depth, [&] {
        if (step + 1 < scheduler.last) {
          wait(ring.full[state.stage], state.parity);
          sums.read_first(stages + state.stage * T::floats);
        }
      });
    }
    if (before >= 0) arrive(ring.empty[before]);
    const auto write = [&](auto... where) {
      if constexpr (through) {
        sums.write_through(room[threadIdx.x / 32], where...);
      } else {
        sums.write(where...);
      }
    };
    epilogue<T>(g, plan, scheduler, sums, write, plan.one != 2.0F, broadcast);
  }
#endif
}

}  // namespace ours
