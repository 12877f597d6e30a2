/// @file
/// The kernels of chapter 22, and their launches.
#pragma once

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
    write_sums(d[p], g.C, g.m, g.n, place.x + 64 * p + 16 * warp, place.y, pairs);
  }
#endif
}

// ---------------------------------------------------------------- a ring of stages

/// A stage of the ring, and the parity of its barriers' phase.
template <class Tile>
struct PipelineState {
  int stage = 0;
  unsigned parity = 0;
  __device__ void next() {
    if (++stage == Tile::stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

/// Registers: a thread of three warpgroups has 168 at first, and, once its role is known, those of
/// a producer or of a consumer. Together these do not exceed the total.
constexpr int producer_registers = 24;
constexpr int consumer_registers = 240;

#ifndef COURSE_WITHOUT_WGMMA

/// Which of its cluster's tiles a block computes, and the way from one tile to the next.
template <class Tile>
struct TileScheduler {
  int row = 0, col = 0;  ///< in the cluster
  int number, step, end, band_height;

  __device__ TileScheduler(const Product& g, int band_height)
      : number(blockIdx.x / Tile::cluster),
        step(gridDim.x / Tile::cluster),
        end(cluster_tile_count<Tile>(g.m, g.n)),
        band_height(band_height) {
    if constexpr (Tile::cluster > 1) {
      const int rank = rank_in_cluster();
      row = rank / Tile::across;
      col = rank % Tile::across;
    }
  }
  __device__ bool ended() const { return number >= end; }
  __device__ void next() { number += step; }
  __device__ int2 place(const Product& g) const {
    const int2 first = place_of<Tile>(number, g.m, g.n, band_height);
    return make_int2(first.x + row * Tile::rows, first.y + col * Tile::cols);
  }
};

/// The work of the producer thread: it fills stage after stage, for tile after tile. In a cluster
/// it fetches its share of the row's A and of the column's B, for all blocks that need them.
template <class Tile, class Storage>
__device__ void run_producer(Storage& storage, const Maps& maps, const Product& g,
                             int band_height) {
  PipelineState<Tile> state;
  for (TileScheduler<Tile> scheduler(g, band_height); !scheduler.ended(); scheduler.next()) {
    const int2 place = scheduler.place(g);
    for (int first = 0; first < g.k; first += Tile::depth) {
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
      constexpr int share = Tile::slabs / Tile::down;
#pragma unroll
      for (int i = 0; i < share; ++i) {
        const int s = scheduler.row * share + i;
        unsigned char* slab = stage.B + s * Tile::slab;
        if constexpr (Tile::down == 1) {
          copy_in(slab, maps.B, place.y + 64 * s, first, full);
        } else {
          constexpr int all = ((1 << Tile::cluster) - 1) / ((1 << Tile::across) - 1);
          copy_in_multicast(slab, maps.B, place.y + 64 * s, first, full, all << scheduler.col);
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

/// The work of a consumer warpgroup.
template <class Tile, bool by_map, class Storage>
__device__ void run_consumer(Storage& storage, const Maps& maps, const Product& g, int band_height,
                             bool pairs) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int steps = (g.k - 1) / Tile::depth + 1;
  PipelineState<Tile> state;
  for (TileScheduler<Tile> scheduler(g, band_height); !scheduler.ended(); scheduler.next()) {
    const int2 place = scheduler.place(g);
    float d[Tile::products][Tile::cols / 2];
    int before = 0;
    for (int step = 0; step < steps; ++step) {
      const Stage<Tile>& stage = storage.stage[state.stage];
      wait(storage.full[state.stage], state.parity);
      fence_products();
      const std::uint64_t A = describe_A(stage.A + group * Tile::products * 64 * 128);
      const std::uint64_t B = describe_B(stage.B, Tile::slab);
#pragma unroll
      for (int i = 0; i < 4; ++i) {  // 16 of k each
#pragma unroll
        for (int p = 0; p < Tile::products; ++p) {
          multiply(d[p], A + 64 * 128 / 16 * p + 2 * i, B + 128 * i, step + i > 0);
        }
      }
      commit_products();
      if (step > 0) {
        wait_for_products<1>();  // while these are multiplied, the previous ones have finished
        release_stage<Tile>(storage.empty[before], scheduler.row, scheduler.col);
      }
      before = state.stage;
      state.next();
    }
    wait_for_products<0>();
    release_stage<Tile>(storage.empty[before], scheduler.row, scheduler.col);
#pragma unroll
    for (int p = 0; p < Tile::products; ++p) {
      const int row = place.x + 64 * (group * Tile::products + p) + 16 * (warp % 4);
      if constexpr (by_map) {
        copy_sums(d[p], storage.epilogue[warp], maps.C, row, place.y);
      } else {
        write_sums(d[p], g.C, g.m, g.n, row, place.y, pairs);
      }
    }
  }
  if constexpr (by_map) wait_until_read<0>();  // shared memory must exist until then
}

#endif

/// A producer warpgroup, one thread of which copies, and consumer warpgroups. A block takes every
/// nth tile of C, where n is the number of blocks. `by_map`: C is also written by its tensor map.
template <class Tile, bool by_map>
__global__ void __launch_bounds__(128 * (Tile::groups + 1), 1)
    gemm_ring(const __grid_constant__ Maps maps, const Product g, const int band_height,
              const bool pairs) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<Tile, by_map>*>(shared);
  if (threadIdx.x == 0) {
    for (int s = 0; s < Tile::stages; ++s) {
      init(storage.full[s], 1);
      init(storage.empty[s], Tile::warps * Tile::partners);
    }
    fence_init();
  }
  if constexpr (Tile::cluster == 1) {
    __syncthreads();
  } else {
    sync_cluster();
  }
  if (threadIdx.x >= 128 * Tile::groups) {
    if constexpr (Tile::groups == 2) setmaxnreg_dec<producer_registers>();
    if (threadIdx.x == 128 * Tile::groups) run_producer<Tile>(storage, maps, g, band_height);
  } else {
    if constexpr (Tile::groups == 2) setmaxnreg_inc<consumer_registers>();
    run_consumer<Tile, by_map>(storage, maps, g, band_height, pairs);
  }
  // Other blocks may still copy into this block's memory, or arrive at its barriers.
  if constexpr (Tile::cluster > 1) sync_cluster();
#endif
}

// ---------------------------------------------------------------- launching

/// How blocks take tiles: one block per tile, or one persistent block per multiprocessor; how many
/// rows of tiles form a band; and the largest number of persistent blocks.
struct Schedule {
  bool persistent = true;
  int band_height = 16;
  int blocks = 1 << 30;
};

template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  // More than 48 KiB of shared memory per block must be requested.
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}

/// C = 0 if the sums are empty. \return whether nothing else is to be done
inline bool is_done(const Product& g) {
  if (g.m == 0 || g.n == 0) return true;
  if (g.k > 0) return false;
  CUDA_CHECK(cudaMemsetAsync(g.C, 0, sizeof(Bf16) * static_cast<std::size_t>(g.m) * g.n));
  return true;
}

template <class Tile>
void launch_one_stage(const Product& g) {
  const auto kernel = gemm_one_stage<Tile>;
  constexpr std::size_t bytes = sizeof(Storage<Tile, false>);
  allow_shared(kernel, bytes);
  const bool pairs = g.n % 2 == 0 && reinterpret_cast<std::uintptr_t>(g.C) % 4 == 0;
  const Maps maps(g, Tile::rows);
  kernel<<<cluster_tile_count<Tile>(g.m, g.n), 128, bytes>>>(maps, g, pairs);
  CUDA_CHECK_LAUNCH();
}

template <class Tile, bool by_map>
void launch_ring(const Product& g, Schedule schedule = {}) {
  const auto kernel = gemm_ring<Tile, by_map>;
  constexpr std::size_t bytes = sizeof(Storage<Tile, by_map>);
  allow_shared(kernel, bytes);
  const int blocks = std::min(schedule.blocks, course::device().multiprocessors);
  const int clusters = std::max(blocks / Tile::cluster, 1);
  const int places = cluster_tile_count<Tile>(g.m, g.n);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {Tile::cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(Tile::cluster) *
                   (schedule.persistent ? std::min(clusters, places) : places);
  config.blockDim = 128 * (Tile::groups + 1);
  config.dynamicSmemBytes = bytes;
  config.attrs = &cluster;
  config.numAttrs = 1;
  const bool pairs = g.n % 2 == 0 && reinterpret_cast<std::uintptr_t>(g.C) % 4 == 0;
  const Maps maps(g, Tile::rows / Tile::across);
  const int band_height = std::max(schedule.band_height / Tile::down, 1);
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, maps, g, band_height, pairs));
}

}  // namespace hopper
