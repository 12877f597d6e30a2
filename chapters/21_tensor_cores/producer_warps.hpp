/// @file
/// The last rung of chapter 21: producer warps and stream-k, as in chapter 20.
///
/// Hopper has what this needs: barriers in shared memory that count the bytes that arrive, and
/// copies of whole tiles that one thread starts. These copies use *tensor maps*, which chapter 22
/// explains, and store each piece of 16 bytes where `Swizzled` has it.
#pragma once

#include <cuda/ptx>
#include <memory>

#include "any_rows.hpp"
#include "ring.hpp"
#include "stream_k.hpp"
#include "tensor_map.hpp"
#include "transposed.hpp"

namespace tensor {

namespace ptx = cuda::ptx;

/// B's tile comes in slabs 128 bytes wide, since a tensor map swizzles rows of that length: the
/// rows of a slab are one below the other.
template <int rows>
struct Slabs {
  static constexpr int bytes = rows * 128;
  static __host__ __device__ int at(int x, int row) {
    return x / 128 * bytes + Swizzled::at(x % 128, row);
  }
};

/// Like Tile, but copied by tensor maps.
template <class T_, int down_, int across_, int stages_>
struct MappedTile {
  using T = T_;
  using Element = typename T::Element;
  static constexpr int down = down_, across = across_, stages = stages_;
  static constexpr int rows = 64 * down, cols = 64 * across;
  static constexpr int threads = 32 * down * across;  ///< of the consumers
  static constexpr bool floats = sizeof(Element) == 4;
  static constexpr int depth = 128 / static_cast<int>(sizeof(Element));  ///< steps of k
  using LayoutA = Swizzled;
  using LayoutB = Slabs<depth>;
  static constexpr int pitch_A = 128, pitch_B = 128;
  static constexpr int bytes_A = rows * 128;
  static constexpr int slabs = cols / depth;
  static constexpr int stage = bytes_A + slabs * LayoutB::bytes;
};

/// A block's shared memory. Swizzled tiles begin at multiples of 1,024 bytes.
template <class Tile>
struct alignas(1024) Storage {
  char stage[Tile::stages][Tile::stage];
  course::Ring<Tile> ring;
};

struct Maps {
  CUtensorMap A, B;
};

constexpr int producer_threads =
    128;  ///< threads: a warpgroup, the unit in which registers are reassigned

/// Registers of a producer thread, and of a consumer thread.
constexpr int producer_registers = 40;
constexpr int consumer_registers = 232;

#ifndef COURSE_OLDER_THAN_HOPPER

/// One thread fills stage after stage; after the last one, one more with zeros, which is never
/// multiplied.
template <class Tile>
__device__ void run_producer(Storage<Tile>& storage, const Maps& maps, const course::Plan& plan) {
  course::PipelineState<Tile> state;
  const auto fill = [&](int2 place, int step) {
    char* stage = storage.stage[state.stage];
    std::uint64_t* full = &storage.ring.full[state.stage];
    const int row = place.x * Tile::rows;
    const int col = place.y * Tile::cols;
    const int first = step * Tile::depth;
    course::wait(storage.ring.empty[state.stage], state.parity ^ 1);  // the first time at once
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   Tile::stage);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &maps.A, {first, row},
                              full);
#pragma unroll
    for (int s = 0; s < Tile::slabs; ++s) {
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                stage + Tile::bytes_A + s * Tile::LayoutB::bytes, &maps.B,
                                {col + s * Tile::depth, first}, full);
    }
    state.next();
  };
  course::TileScheduler scheduler(plan);
  int2 place{};
  while (scheduler.next(plan)) {
    place = plan.place_of(scheduler.tile);
    for (int step = scheduler.first; step < scheduler.last; ++step) fill(place, step);
  }
  fill(place, plan.steps);  // out of bounds in both matrices
}

/// The work of a consumer warp. While it multiplies one quarter of a stage it loads the next, even
/// when that one belongs to the next stage or the next tile.
template <class Tile>
__device__ void run_consumer(Storage<Tile>& storage, const Product<typename Tile::Element>& g,
                             const course::Plan& plan, bool pairs) {
  course::Ring<Tile>& ring = storage.ring;
  course::ConsumerBroadcast<Tile> broadcast(ring.answer);
  std::conditional_t<Tile::floats, TransposedWarpTile<Tile>, WarpTile<Tile>> warp;
  const auto round = [&](Fragments& fragments, int part) {
    if constexpr (Tile::floats) warp.round(fragments, part);
  };
  Fragments f[2];
  course::PipelineState<Tile> state;
  course::TileScheduler scheduler(plan);
  bool more = scheduler.next(plan);
  if (more) {
    course::wait(ring.full[0], 0);
    warp.read(f[0], storage.stage[0], 0);
#pragma unroll
    for (int part = 0; part < 4; ++part) round(f[0], part);
  }
#pragma unroll 1
  while (more) {
    const course::TileScheduler now = scheduler;  // which steps of which tile
    more = scheduler.next(plan);
    warp.clear();
#pragma unroll 1
    for (int step = now.first; step < now.last; ++step) {
      const char* stage = storage.stage[state.stage];
      std::uint64_t& empty = ring.empty[state.stage];
      state.next();
      std::uint64_t& full = ring.full[state.stage];
      bool is_full = false;
#pragma unroll
      for (int quarter = 0; quarter < 4; ++quarter) {
        if (quarter < 3) {
          warp.read(f[(quarter + 1) % 2], stage, quarter + 1);
        } else {
          if (!is_full) course::wait(full, state.parity);
          warp.read(f[0], storage.stage[state.stage], 0);
        }
        warp.multiply(f[quarter % 2], [&](int row) {
          // Queried early, so that no thread waits for the answer.
          if (quarter == 2 && row == 1)
            is_full = ptx::mbarrier_test_wait_parity(&full, state.parity);
          if (quarter == 3 && row == 1) course::arrive(empty);
          if (row < 2) return;
          Fragments& next = f[(quarter + 1) % 2];  // has arrived by now
          round(next, 2 * row - 4);
          round(next, 2 * row - 3);
        });
      }
    }
    const bool whole = now.last - now.first == plan.steps;
    if (!whole && !course::reduce_partials<Tile>(plan, now, warp, broadcast)) continue;
    const int2 place = plan.place_of(now.tile);
    warp.write(g.C, place.x * Tile::rows, place.y * Tile::cols, g.m, g.n, pairs);
  }
}

#endif

/// Four producer warps, one thread of which copies, and the consumer warps.
template <class Tile>
__global__ void __launch_bounds__(Tile::threads + producer_threads, 1)
    gemm_producer_warps(const __grid_constant__ Maps maps, const Product<typename Tile::Element> g,
                        const course::Plan plan, const bool pairs) {
#ifndef COURSE_OLDER_THAN_HOPPER
  extern __shared__ __align__(1024) unsigned char room[];
  Storage<Tile>& storage = *reinterpret_cast<Storage<Tile>*>(room);
  if (threadIdx.x == 0) {
    for (int s = 0; s < Tile::stages; ++s) {
      ptx::mbarrier_init(&storage.ring.full[s], 1);
      ptx::mbarrier_init(&storage.ring.empty[s], Tile::threads);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x >= Tile::threads) {
    course::setmaxnreg_dec<producer_registers>();
    if (threadIdx.x == Tile::threads) run_producer<Tile>(storage, maps, plan);
  } else {
    course::setmaxnreg_inc<consumer_registers>();
    run_consumer<Tile>(storage, g, plan, pairs);
  }
#endif
}

// ---------------------------------------------------------------- launching

/// Buffers for partial sums and for copies of matrices, and the launch of the kernel with one
/// persistent block per multiprocessor. It is made once; two streams need two of them.
template <class Tile>
class WarpSpecializedGemm {
 public:
  using Element = typename Tile::Element;

  /// @param least_idle idle steps per block from which adding up partial sums pays off
  explicit WarpSpecializedGemm(int processors = course::device().multiprocessors,
                               int least_idle = 16)
      : processors_(processors),
        least_idle_(least_idle),
        parts_(std::size_t{2} * processors * Tile::rows * Tile::cols, course::unset),
        arrived_(std::vector<unsigned>(static_cast<std::size_t>(processors))) {}

  /// @param shares whole tiles are given out except in the last whole round and the remainder:
  ///        their steps are divided equally among the blocks, if enough would be idle otherwise.
  void launch(const Product<Element>& g, bool shares) {
    if (g.m == 0 || g.n == 0) return;
    if (g.k == 0) {
      const std::size_t elements = static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.n);
      CUDA_CHECK(cudaMemsetAsync(g.C, 0, elements * sizeof(float)));
      return;
    }
    course::Plan plan = course::data_parallel_plan<Tile>(g.m, g.n, g.k);
    plan.parts = parts_;
    plan.arrived = arrived_;
    std::int64_t pieces = plan.whole;
    const int left_over = plan.whole % processors_;
    const int idle = left_over == 0 ? 0 : (processors_ - left_over) * plan.steps / processors_;
    if (shares && idle >= least_idle_) {
      pieces *= plan.steps;
      plan.whole = std::max(plan.whole / processors_ - 1, 0) * processors_;
    }
    Product<Element> padded = g;
    padded.A = padded_A_.aligned(g.A, g.m, g.k, padded.lda);
    padded.B = padded_B_.aligned(g.B, g.k, g.n, padded.ldb);
    Maps maps;
    course::make_swizzled_map(maps.A, padded.A, g.m, g.k, padded.lda, Tile::rows);
    course::make_swizzled_map(maps.B, padded.B, g.k, g.n, padded.ldb, Tile::depth);
    const auto kernel = gemm_producer_warps<Tile>;
    constexpr int bytes = sizeof(Storage<Tile>);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(processors_, pieces));
    const bool pairs = g.n % 2 == 0 && reinterpret_cast<std::uintptr_t>(g.C) % 8 == 0;
    kernel<<<blocks, Tile::threads + producer_threads, bytes>>>(maps, g, plan, pairs);
    CUDA_CHECK_LAUNCH();
  }

 private:
  int processors_, least_idle_;
  course::DeviceArray<float> parts_;
  course::DeviceArray<unsigned> arrived_;
  course::PaddedRows<Element> padded_A_, padded_B_;
};

template <class Tile, bool shares>
void launch_producer_warps(const Product<typename Tile::Element>& g) {
  static WarpSpecializedGemm<Tile> launcher;
  launcher.launch(g, shares);
}

}  // namespace tensor
