/// @file
/// The kernels of chapter 22, and their launches.
#pragma once

#include "ring.hpp"
#include "stream_k.hpp"
#include "tiles.hpp"

namespace hopper {

// ---------------------------------------------------------------- one stage

/// One warpgroup: one thread starts the copies of the tiles, all wait for them, all multiply.
template <class Tile>
__global__ void __launch_bounds__(128)
    gemm_one_stage(const __grid_constant__ Maps maps, const Product g, const bool pairs) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<Tile, false>*>(shared);
  Stage<Tile>& stage = storage.stage[0];
  const int2 place = place_of<Tile>(blockIdx.x, g.m, g.n, 1);
  if (threadIdx.x == 0) {
    init(storage.full[0], 1);
    fence_init();
  }
  __syncthreads();

  float d[Tile::products][Tile::cols / 2];
  unsigned parity = 0;
  for (int first = 0; first < g.k; first += Tile::depth) {
    if (threadIdx.x == 0) {
      expect(storage.full[0], Tile::bytes_A + Tile::bytes_B);
      copy_in(stage.A, maps.A, first, place.x, storage.full[0]);
      for (int s = 0; s < Tile::slabs; ++s) {
        copy_in(stage.B + s * Tile::slab, maps.B, place.y + 64 * s, first, storage.full[0]);
      }
    }
    wait(storage.full[0], parity);
    parity ^= 1;
    fence_products();
    const std::uint64_t A = describe_A(stage.A);
    const std::uint64_t B = describe_B(stage.B, Tile::slab);
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // 16 of k each
#pragma unroll
      for (int p = 0; p < Tile::products; ++p) {
        multiply(d[p], A + 64 * 128 / 16 * p + 2 * i, B + 128 * i, first + i > 0);
      }
    }
    commit_products();
    wait_for_products<0>();
    __syncthreads();
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
  for (int p = 0; p < Tile::products; ++p) {
    write_sums(d[p], g, place.x + 64 * p + 16 * warp, place.y, pairs);
  }
#endif
}

// ---------------------------------------------------------------- a ring of stages

using course::PipelineState;

/// Registers: a thread of three warpgroups has 168 at first, and, once its role is known, those of
/// a producer or of a consumer. Together these do not exceed the total.
template <int groups>
constexpr int producer_registers = groups == 2 ? 40 : 32;
template <int groups>
constexpr int consumer_registers = groups == 2 ? 232 : 160;

#ifndef COURSE_WITHOUT_WGMMA

/// By one thread, before all others wait for it.
template <class Tile, class Storage>
__device__ void init_ring(Storage& storage, const Maps& maps) {
  prefetch_map(maps.A);
  prefetch_map(maps.B);
  prefetch_map(maps.C);
  for (int s = 0; s < Tile::stages; ++s) {
    init(storage.full[s], 1);
    init(storage.empty[s], Tile::warps * Tile::partners);
  }
  fence_init();
}

/// The path of a cluster through its tiles, and this block's place among the cluster's.
template <class Tile>
struct TileScheduler : course::TileScheduler {
  const course::Plan& plan;
  int band_height;
  int row = 0, col = 0;  ///< in the cluster

  __device__ TileScheduler(const course::Plan& plan, int band_height)
      : course::TileScheduler(plan), plan(plan), band_height(band_height) {
    if constexpr (Tile::cluster > 1) {
      row = plan.rank() / Tile::across;
      col = plan.rank() % Tile::across;
    }
  }
  __device__ bool next() { return course::TileScheduler::next(plan); }
  /// Where this block's tile begins in C.
  __device__ int2 place(const Product& g) const {
    const int2 begin = place_of<Tile>(tile, g.m, g.n, band_height);
    return make_int2(begin.x + row * Tile::rows, begin.y + col * Tile::cols);
  }
};

/// The work of the producer thread: it fills stage after stage, for tile after tile. In a cluster
/// it fetches its share of the row's A and of the column's B, for all blocks that need them.
template <class Tile, class Scheduler, class Storage>
__device__ void run_producer(Storage& storage, const Maps& maps, const Product& g,
                             Scheduler scheduler) {
  PipelineState<Tile> state;
  while (scheduler.next()) {
    const int2 place = scheduler.place(g);
    for (int step = scheduler.first; step < scheduler.last; ++step) {
      const int first = step * Tile::depth;
      Stage<Tile>& stage = storage.stage[state.stage];
      Barrier& full = storage.full[state.stage];
      wait(storage.empty[state.stage], state.parity ^ 1);  // the first time at once
      expect(full, Tile::bytes_A + Tile::bytes_B);
      if constexpr (Tile::across == 1) {
        copy_in(stage.A, maps.A, first, place.x, full);
      } else {
        constexpr int rows = Tile::rows / Tile::across;
        constexpr int all = (1 << Tile::across) - 1;
        copy_in_multicast(stage.A + scheduler.col * rows * 128, maps.A, first,
                          place.x + scheduler.col * rows, full,
                          all << scheduler.row * Tile::across);
      }
      constexpr int share = Tile::depth / Tile::down;  // rows of B
      const int from = scheduler.row * share;
#pragma unroll
      for (int s = 0; s < Tile::slabs; ++s) {
        unsigned char* slab = stage.B + s * Tile::slab + from * 128;
        if constexpr (Tile::down == 1) {
          copy_in(slab, maps.B, place.y + 64 * s, first, full);
        } else {
          constexpr int all = ((1 << Tile::cluster) - 1) / ((1 << Tile::across) - 1);
          copy_in_multicast(slab, maps.B, place.y + 64 * s, first + from, full,
                            all << scheduler.col);
        }
      }
      state.next();
    }
  }
}

/// A warp has multiplied the stage: it tells all blocks that copy into it.
template <class Tile>
__device__ void release_stage(Barrier& empty, int row, int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if constexpr (Tile::cluster == 1) {
    if (lane == 0) arrive(empty);
  } else {
    __syncwarp();  // one lane arrives for the whole warp
    // The blocks of the column first, then those of the row that are not in the column.
    const int in_row = lane - Tile::down + (lane - Tile::down >= col ? 1 : 0);
    const int rank = lane < Tile::down ? lane * Tile::across + col : row * Tile::across + in_row;
    if (lane < Tile::partners) arrive_at(empty, rank);
  }
}

/// A thread's sums of a tile, as course::reduce_partials() wants them.
template <class Tile>
struct Partials {
  float (&d)[Tile::products][Tile::cols / 2];

  __device__ void store_partial(float* part, float) {
    each_four(part, [](float4* four, float* sums) {
      *four = make_float4(sums[0], sums[1], sums[2], sums[3]);
    });
  }
  __device__ void add_partial(float* part) {
    each_four(part, [](const float4* four, float* sums) {
      const float4 other = __ldcg(four);  // level 1 may hold stale data
      sums[0] += other.x, sums[1] += other.y, sums[2] += other.z, sums[3] += other.w;
    });
  }

 private:
  // Neighbouring threads have neighbouring fours.
  template <class Operation>
  __device__ void each_four(float* part, Operation operation) {
    float4* four = reinterpret_cast<float4*>(part) + threadIdx.x;
#pragma unroll
    for (int p = 0; p < Tile::products; ++p) {
#pragma unroll
      for (int i = 0; i < Tile::cols / 2; i += 4, four += 128 * Tile::groups) {
        operation(four, d[p] + i);
      }
    }
  }
};

/// A consumer warpgroup multiplies what has arrived: these steps of a tile.
template <class Tile, class Scheduler, class Storage>
__device__ void multiply_steps(Storage& storage, PipelineState<Tile>& state,
                               float (&d)[Tile::products][Tile::cols / 2],
                               const Scheduler& scheduler) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  int before = 0;
  for (int step = scheduler.first; step < scheduler.last; ++step) {
    const Stage<Tile>& stage = storage.stage[state.stage];
    wait(storage.full[state.stage], state.parity);
    fence_products();
    const std::uint64_t A = describe_A(stage.A + group * Tile::products * 64 * 128);
    const std::uint64_t B = describe_B(stage.B, Tile::slab);
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // 16 of k each
#pragma unroll
      for (int p = 0; p < Tile::products; ++p) {
        multiply(d[p], A + 64 * 128 / 16 * p + 2 * i, B + 128 * i, step + i > scheduler.first);
      }
    }
    commit_products();
    if (step > scheduler.first) {
      wait_for_products<1>();  // while these are multiplied, the previous ones have finished
      release_stage<Tile>(storage.empty[before], scheduler.row, scheduler.col);
    }
    before = state.stage;
    state.next();
  }
  wait_for_products<0>();
  release_stage<Tile>(storage.empty[before], scheduler.row, scheduler.col);
}

/// The work of a consumer warpgroup.
template <class Tile, bool by_map, class Storage>
__device__ void run_consumer(Storage& storage, const Maps& maps, const Product& g,
                             TileScheduler<Tile> scheduler, Output output) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  course::ConsumerBroadcast<Tile> broadcast(storage.answer);
  PieceWriter write{storage.epilogue[by_map ? warp : 0], maps.C, g, output};
  PipelineState<Tile> state;
  while (scheduler.next()) {
    const int2 place = scheduler.place(g);
    float d[Tile::products][Tile::cols / 2];
    multiply_steps<Tile>(storage, state, d, scheduler);
    if (scheduler.last - scheduler.first < scheduler.plan.steps) {  // others have the rest
      Partials<Tile> sums{d};
      if (!course::reduce_partials<Tile>(scheduler.plan, scheduler, sums, broadcast)) continue;
    }
#pragma unroll
    for (int p = 0; p < Tile::products; ++p) {
      const int row = place.x + 64 * (group * Tile::products + p) + 16 * (warp % 4);
      if constexpr (!by_map) {
        write_sums(d[p], g, row, place.y, output == Output::pairs);
      } else {
#pragma unroll
        for (int s = 0; s < Tile::slabs; ++s) write(d[p] + 32 * s, row, place.y + 64 * s);
      }
    }
  }
  if constexpr (by_map) wait_until_read<0>();  // shared memory must exist until then
}

#endif

/// A producer warpgroup, one thread of which copies, and consumer warpgroups. A cluster takes every
/// nth tile of C, where n is the number of clusters; those that the plan shares out are divided by
/// steps. `by_map`: C is written through shared memory, where possible by its tensor map.
template <class Tile, bool by_map>
__global__ void __launch_bounds__(128 * (Tile::groups + 1), 1)
    gemm_ring(const __grid_constant__ Maps maps, const Product g, const course::Plan plan,
              const int band_height, const Output output) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<Tile, by_map>*>(shared);
  if (threadIdx.x == 0) init_ring<Tile>(storage, maps);
  if constexpr (Tile::cluster == 1) {
    __syncthreads();
  } else {
    sync_cluster();
  }
  const TileScheduler<Tile> scheduler(plan, band_height);
  if (threadIdx.x >= 128 * Tile::groups) {
    if constexpr (Tile::groups > 1) setmaxnreg_dec<producer_registers<Tile::groups>>();
    if (threadIdx.x == 128 * Tile::groups) run_producer<Tile>(storage, maps, g, scheduler);
  } else {
    if constexpr (Tile::groups > 1) setmaxnreg_inc<consumer_registers<Tile::groups>>();
    run_consumer<Tile, by_map>(storage, maps, g, scheduler, output);
  }
  // Other blocks may still copy into this block's memory, or arrive at its barriers.
  if constexpr (Tile::cluster > 1) sync_cluster();
#endif
}

}  // namespace hopper
