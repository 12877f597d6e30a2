/// @file
/// The kernels of chapter 22, and their launches.
#pragma once

#include "epilogue.hpp"
#include "tensor_cores/pipeline.hpp"
#include "tensor_cores/products.hpp"

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
  const int2 tile =
      tile_place(blockIdx.x, cluster_tiles_down<Tile>(g.m), cluster_tiles_across<Tile>(g.n), 1);
  const int2 place = make_int2(tile.x * Tile::rows, tile.y * Tile::cols);
  if (threadIdx.x == 0) {
    init(storage.full[0], 1);
    fence_init();
  }
  __syncthreads();

  float d[Tile::products][Tile::sums];
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
        multiply<false>(d[p], A + 64 * 128 / 16 * p + 2 * i, B + 128 * i, first + i > 0);
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

#ifndef COURSE_WITHOUT_WGMMA

/// The work of the producer thread: it fills stage after stage, for tile after tile. In a cluster
/// it fetches its share of the row's A and of the column's B, for all blocks that need them.
template <class Tile, class Scheduler, class Storage>
__device__ void run_producer(Storage& storage, const Maps& maps, Scheduler scheduler) {
  const Cluster cluster = scheduler.cluster;
  const int row_of_A = Tile::rows * scheduler.col >> (__ffs(cluster.across) - 1);  // of its share
  const int row_of_B = Tile::depth * scheduler.row >> (__ffs(cluster.down) - 1);
  const int to_row = ((1 << cluster.across) - 1) << scheduler.row * cluster.across;
  int to_column = 0;
  for (int i = 0; i < cluster.down; ++i) to_column |= 1 << (i * cluster.across + scheduler.col);
  PipelineState<Tile> state;
  while (scheduler.next()) {
    const int2 place = scheduler.place();
    for (int step = scheduler.first; step < scheduler.last; ++step) {
      const int first = step * Tile::depth;
      Stage<Tile>& stage = storage.stage[state.stage];
      Barrier& full = storage.full[state.stage];
      wait(storage.empty[state.stage], state.parity ^ 1);  // the first time at once
      expect(full, Tile::bytes_A + Tile::bytes_B);
      unsigned char* A = stage.A + row_of_A * 128;
      if (cluster.across == 1) {
        copy_in(A, maps.A, first, place.x, full);
      } else {
        copy_in_multicast(A, maps.A, first, place.x + row_of_A, full, to_row);
      }
#pragma unroll
      for (int s = 0; s < Tile::slabs; ++s) {
        unsigned char* B = stage.B + s * Tile::slab + row_of_B * 128;
        if (cluster.down == 1) {
          copy_in(B, maps.B, place.y + 64 * s, first, full);
        } else {
          copy_in_multicast(B, maps.B, place.y + 64 * s, first + row_of_B, full, to_column);
        }
      }
      state.next();
    }
  }
  // The block's memory must exist as long as other blocks arrive at its barriers: until each stage
  // is empty.
  if (cluster.size() == 1) return;
  for (int s = 0; s < Tile::stages; ++s, state.next()) {
    wait(storage.empty[state.stage], state.parity ^ 1);
  }
}

/// A thread's sums of a tile, as course::reduce_partials() wants them.
template <class Tile>
struct Partials {
  float (&d)[Tile::products][Tile::sums];

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
      for (int i = 0; i < Tile::sums; i += 4, four += 128 * Tile::groups) {
        operation(four, d[p] + i);
      }
    }
  }
};

/// A consumer warpgroup multiplies what has arrived: these steps of a tile.
template <class Tile, class Scheduler, class Storage>
__device__ void multiply_steps(Storage& storage, PipelineState<Tile>& state,
                               float (&d)[Tile::products][Tile::sums], const Scheduler& scheduler) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  int before = 0;
  for (int step = scheduler.first; step < scheduler.last; ++step) {
    const Stage<Tile>& stage = storage.stage[state.stage];
    wait(storage.full[state.stage], state.parity);
    fence_products();
    // This warpgroup's share of the tile: of its rows, or, swapped, of its columns.
    const int share = group * Tile::products;
    const std::uint64_t A = describe_A(stage.A + (Tile::swapped ? 0 : share * 64 * 128));
    const std::uint64_t B =
        describe_B(stage.B + (Tile::swapped ? share * Tile::slab : 0), Tile::slab);
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // 16 of k each
#pragma unroll
      for (int p = 0; p < Tile::products; ++p) {
        const bool adds = step + i > scheduler.first;
        if constexpr (Tile::swapped) {
          multiply<true>(d[p], B + Tile::slab / 16 * p + 128 * i, A + 2 * i, adds);
        } else {
          multiply<false>(d[p], A + 64 * 128 / 16 * p + 2 * i, B + 128 * i, adds);
        }
      }
    }
    commit_products();
    if (step > scheduler.first) {
      wait_for_products<1>();  // while these are multiplied, the previous ones have finished
      release_stage(storage.empty[before], scheduler.cluster, scheduler.row, scheduler.col);
    }
    before = state.stage;
    state.next();
  }
  wait_for_products<0>();
  release_stage(storage.empty[before], scheduler.cluster, scheduler.row, scheduler.col);
}

/// The work of a consumer warpgroup.
template <class Tile, bool by_map, class Storage>
__device__ void run_consumer(Storage& storage, const Maps& maps, const Product& g,
                             TileScheduler<Tile> scheduler, Output output) {
  course::ConsumerBroadcast<Tile> broadcast(storage.answer);
  TileWriter<Tile> write{
      {}, storage.epilogue[by_map ? Pieces<Tile>::buffer() : 0], maps.C, g, output};
  PipelineState<Tile> state;
  while (scheduler.next()) {
    const int2 place = scheduler.place();
    float d[Tile::products][Tile::sums];
    multiply_steps<Tile>(storage, state, d, scheduler);
    if (scheduler.last - scheduler.first < scheduler.plan.steps) {  // others have the rest
      Partials<Tile> sums{d};
      if (!course::reduce_partials<Tile>(scheduler.plan, scheduler, sums, broadcast)) continue;
    }
    if constexpr (by_map) {
      write(d, place);
    } else {
#pragma unroll
      for (int p = 0; p < Tile::products; ++p) {
        const int2 in_tile = Pieces<Tile>::place(p, 0);
        write_sums(d[p], g, place.x + in_tile.x, place.y, output == Output::pairs);
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
              const int band_height, const Cluster cluster, const Output output) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<Tile, by_map>*>(shared);
  init_ring<Tile>(storage, maps, cluster.partners());
  if (cluster.size() == 1) {
    __syncthreads();
  } else {
    meet_cluster();
  }
  const TileScheduler<Tile> scheduler(plan, band_height, cluster);
  if (threadIdx.x >= 128 * Tile::groups) {
    if constexpr (Tile::groups > 1) setmaxnreg_dec<producer_registers<Tile>>();
    if (threadIdx.x == 128 * Tile::groups) run_producer<Tile>(storage, maps, scheduler);
  } else {
    if constexpr (Tile::groups > 1) setmaxnreg_inc<consumer_registers<Tile>>();
    run_consumer<Tile, by_map>(storage, maps, g, scheduler, output);
  }
#endif
}

}  // namespace hopper
