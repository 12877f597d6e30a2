/// @file
/// A block whose warps share the work: four of them only copy, the others only multiply.
///
/// Those that multiply issue nothing but loads from shared memory and multiply-adds. They get the
/// registers that the others do not need. Nobody waits for the whole block: each stage has two
/// barriers in shared memory. One says that its tiles have arrived; the other, that all threads
/// have read them. So copies run ahead by as many stages as there are, into the block's next tile
/// of C, too.
///
/// Where B's rows begin on 16 bytes, one thread has each tile of it brought with a single
/// instruction, by a tensor map. What is beyond B's edges arrives as 0. The copies come in two
/// kinds:
///
/// - Direct: the four warps copy A as in tiles.hpp, and it is turned on the way. They copy B, too,
///   where its rows begin anywhere.
/// - Packed: A was packed before (pack.hpp). Each tile of it then lies in one piece, and one thread
///   has all that a stage takes brought with two instructions.
#pragma once

#include <algorithm>
#include <cuda/ptx>

#include "epilogue.hpp"
#include "ring.hpp"
#include "tensor_map.hpp"

namespace ours {

namespace ptx = cuda::ptx;

constexpr int producer_threads =
    128;  ///< threads: registers are given and taken by groups of four warps

using course::PipelineState;
using course::Ring;
using course::setmaxnreg_dec;
using course::setmaxnreg_inc;
#ifndef COURSE_OLDER_THAN_HOPPER
using course::arrive;
using course::wait;
#endif

#ifndef COURSE_OLDER_THAN_HOPPER
/// Of thread 0: so many bytes will come by themselves, and only then the stage has arrived.
inline __device__ void expect_bytes(std::uint64_t& full, int bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, bytes);
}

/// B's tile by its map. One thread calls it.
template <class T>
__device__ void copy_B_by_map(std::uint32_t stage, std::uint64_t& full, const CUtensorMap& map,
                              int2 place, int step) {
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                            __cvta_shared_to_generic(stage + T::A_floats * 4), &map,
                            {place.y * T::cols, step * T::depth}, &full);
}
#endif

/// The four warps copy A.
/// @tparam by_map whether B comes by its map: else they copy it, too
template <bool by_map>
struct Direct {
  static constexpr bool through = !by_map;                    ///< to C by way of shared memory
  static constexpr bool short_loop = by_map;                  ///< of those that copy
  static constexpr int threads = producer_threads;            ///< that copy
  static constexpr int arrivals = producer_threads + by_map;  ///< at the barrier of a stage

  template <class T>
  static __device__ void copy(std::uint32_t stage, std::uint64_t& full, const Product& g,
                              const CUtensorMap& B_map, int2 place, int step, int thread) {
#ifndef COURSE_OLDER_THAN_HOPPER
    copy_A<T, producer_threads>(stage, g, place.x * T::rows, step * T::depth, thread);
    if constexpr (by_map) {
      if (thread == 0) {
        expect_bytes(full, T::depth * T::cols * 4);
        copy_B_by_map<T>(stage, full, B_map, place, step);
      }
    } else {
      copy_B<T, producer_threads, 1>(stage, g, step * T::depth, place.y * T::cols, thread);
    }
    ptx::cp_async_mbarrier_arrive_noinc(&full);  // when the thread's copies have arrived
#endif
  }
};

/// A's tiles are packed one after the other, row of tiles by row of tiles. B comes by its map.
/// @tparam through_ to C by way of shared memory
template <bool through_>
struct Packed {
  static constexpr bool through = through_;
  static constexpr bool short_loop = true;
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

/// So many registers a thread has when a block begins: the multiprocessor's 65,536, by eights.
template <class T>
constexpr int registers_at_launch =
    std::min(65536 / (T::resident * (T::threads + producer_threads)) / 8 * 8, 168);
/// So many it has if it copies ...
template <class T>
constexpr int producer_registers = T::resident == 1 ? 56 : 48;
/// ... and so many if it multiplies: what the others have given.
template <class T>
constexpr int consumer_registers = std::min((registers_at_launch<T> *
                                                 (T::threads + producer_threads) -
                                             producer_registers<T> * producer_threads) /
                                                T::threads / 8 * 8,
                                            240);

/// Steps in a turn of the inner loop. Where a thread has 64 sums and a turn has two steps, its
/// branch and its counters are one of fifteen instructions. With eight they hardly count; but then
/// it has to fit in the cache for instructions, together with the loop of those that copy.
template <class T, class Copies>
constexpr int steps_at_once = T::R* T::C <= 64 && Copies::short_loop ? 8 : 2;

template <class T, class Copies>
__global__ void __launch_bounds__(T::threads + producer_threads, T::resident)
    gemm_copiers(const __grid_constant__ CUtensorMap B_map, const Product g, const Plan plan,
                 const bool wide) {
#ifndef COURSE_OLDER_THAN_HOPPER
  extern __shared__ __align__(128) float tiles[];  // which a map's copies ask for
  float* stages = tiles;
  __shared__ Ring<T> ring;
  // Sums go to C by way of shared memory where C's rows begin anywhere, which they mostly do if
  // B's do.
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

  if (threadIdx.x >= T::threads) {  // those that copy
    setmaxnreg_dec<producer_registers<T>>();
    const int thread = threadIdx.x - T::threads;
    if (thread >= Copies::threads) return;
    const std::uint32_t first_stage = shared_address(stages);
    while (scheduler.next(plan)) {
      const int2 place = plan.place_of(scheduler.tile);
      for (int step = scheduler.first; step < scheduler.last; ++step) {
        wait(ring.empty[state.stage], state.parity ^ 1);  // the first time at once
        Copies::template copy<T>(first_stage + state.stage * T::floats * 4, ring.full[state.stage],
                                 g, B_map, place, step, thread);
        state.next();
      }
    }
    // Nobody leaves before all that he has copied was read.
    for (int s = 0; s < T::stages; ++s) {
      wait(ring.empty[state.stage], state.parity ^ 1);
      state.next();
    }
    return;
  }

  setmaxnreg_inc<consumer_registers<T>>();
  Sums sums;
  course::ConsumerBroadcast<T> broadcast(ring);
  while (scheduler.next(plan)) {
    sums.clear();
    int before = -1;
    if (scheduler.first < scheduler.last) {
      wait(ring.full[state.stage], state.parity);
      sums.read_first(stages + state.stage * T::floats);
    }
    for (int step = scheduler.first; step < scheduler.last; ++step) {
      if (before >= 0) arrive(ring.empty[before]);
      const float* stage = stages + state.stage * T::floats;
      before = state.stage;
      state.next();
      sums.template steps_ahead<steps_at_once<T, Copies>>(stage, g.k - step * T::depth, [&] {
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
    epilogue<T>(g, plan, scheduler, sums, write, wide, broadcast);
  }
#endif
}

}  // namespace ours
