/// @file
/// Chapter 23: persistent blocks, which publish before they wait.
///
/// A block has several tiles in shared memory: some are still arriving, one is worked on. Its
/// workers publish what a tile adds up to as soon as the tile is there, while the lookout, one more
/// warp, finds out what is before the tile drawn earlier. So no sum is held back by a block that
/// waits itself, and the memory has work while blocks look back.
#pragma once

#include <cuda/ptx>

#include "ring.hpp"
#include "tiles.hpp"

namespace scan {

namespace ptx = cuda::ptx;

#ifndef COURSE_OLDER_THAN_HOPPER
using course::wait;
#endif

/// What becomes of tiles in a scan: an element's prefix, of its tile at first.
template <class Op_, bool inclusive>
struct ScanWork {
  using Op = Op_;
  using T = typename Op::Carry;
  T* y;

  template <int rows>
  struct Registers {
    T before[rows];
  };

  /// By a warp: what its rows add up to.
  template <int rows>
  __device__ T look_at(T (&v)[rows][4], Registers<rows>& r, std::size_t, std::size_t) const {
    return scan_rows<Op, rows>(v, r.before);
  }
  /// Puts into the tile what is before each element in the tile, or up to it.
  template <int rows>
  __device__ void keep(T* tile, const T (&v)[rows][4], const Registers<rows>& r, T before_warp, T,
                       unsigned) const {
    const unsigned first = (threadIdx.x / 32 * rows * 32 + lane()) * 4;
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const T start = Op::combine(before_warp, r.before[k]);
      Four<T> four;
      if (!inclusive) four.at[0] = start;
      for (int j = 0; j < (inclusive ? 4 : 3); ++j) {
        four.at[inclusive ? j : j + 1] = Op::combine(start, v[k][j]);
      }
      *reinterpret_cast<Four<T>*>(tile + first + 128 * k) = four;
    }
  }
  /// What the thread will write of the tile, once it is known what is before it.
  template <int rows>
  struct Output {
    Four<T> four[rows];
  };
  template <int threads, int rows>
  __device__ void take(const T* tile, T before, T, unsigned, Output<rows>& out) const {
    const unsigned first = (threadIdx.x / 32 * rows * 32 + lane()) * 4;
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      out.four[k] = *reinterpret_cast<const Four<T>*>(tile + first + 128 * k);
      for (T& value : out.four[k].at) value = Op::combine(before, value);
    }
  }
  template <int threads, int rows>
  __device__ void write(const Output<rows>& out, unsigned number, std::size_t n, T, T) const {
    store_rows<rows>(y, n, first_element<threads, rows>(number),
                     (number + std::size_t{1}) * tile_size<threads, rows> <= n, out.four);
  }
};

/// Persistent blocks: the grid has as many as fit on the device. Each has a ring of tiles in
/// dynamic shared memory, Tile::threads workers, and the lookout.
template <class Work, class Wait, class Tile, class T>
__global__ void __launch_bounds__(Tile::threads + 32)
    tiles_ahead(const T* x, std::size_t n, const Work work, const TileState state, unsigned tiles) {
#ifndef COURSE_OLDER_THAN_HOPPER
  using Op = typename Work::Op;
  using Carry = typename Op::Carry;
  constexpr int threads = Tile::threads, rows = Tile::rows, stages = Tile::stages;
  constexpr int warps = threads / 32;
  constexpr unsigned size = tile_size<threads, rows>;
  static_assert(stages > 2, "a stage is drawn for while the next one is worked on");
  extern __shared__ __align__(128) unsigned char memory[];
  T* const ring = reinterpret_cast<T*>(memory);
  __shared__ std::uint64_t full[stages];       // the stage's tile has arrived,
  __shared__ std::uint64_t published[stages];  // all workers have prepared it,
  __shared__ std::uint64_t known[stages];      // and the lookout knows what is before it
  __shared__ Turn drawn[stages];
  __shared__ Carry of_warps[stages][warps];
  __shared__ Carry own_of[stages];
  __shared__ Carry before_of[stages];
  const int warp = static_cast<int>(threadIdx.x / 32);

  // By thread 0: starts the copy of the tile drawn before into a stage, and draws the next one, so
  // that nothing waits for a draw. The workers load a tile that is not whole themselves, and beyond
  // the last tile nothing is copied.
  Word upcoming = 0;
  const unsigned draws = tiles + gridDim.x * (stages + 1);
  const auto refill = [&](int stage) {
    const Turn turn = turn_of(upcoming, state, draws);
    upcoming = draw(state);
    drawn[stage] = turn;
    const std::size_t first = static_cast<std::size_t>(turn.tile) * size;
    const unsigned bytes = first + size <= n ? size * sizeof(T) : 0;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &full[stage], bytes);
    if (bytes == 0) return;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring + stage * size, x + first, bytes,
                       &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      ptx::mbarrier_init(&full[stage], 1);
      ptx::mbarrier_init(&published[stage], threads);
      ptx::mbarrier_init(&known[stage], 32);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    upcoming = draw(state);
    for (int stage = 0; stage < stages; ++stage) refill(stage);
  }
  __syncthreads();

  course::PipelineState<Tile> at;
  if (warp == warps) {  // the lookout
    for (;; at.next()) {
      wait(published[at.stage], at.parity);
      const Turn turn = drawn[at.stage];
      if (turn.tile >= tiles) return;
      const Carry before = Wait::template before<Op>(state, turn, own_of[at.stage]);
      if (lane() == 0) before_of[at.stage] = before;
      course::arrive(known[at.stage]);
    }
  }

  const auto elements_in = [&](unsigned tile) {
    const std::size_t left = n - static_cast<std::size_t>(tile) * size;
    return left < size ? static_cast<unsigned>(left) : size;
  };
  // What can be done for a tile without knowing what is before it.
  const auto prepare = [&](const course::PipelineState<Tile>& next) {
    const int stage = next.stage;
    const Turn turn = drawn[stage];
    if (turn.tile < tiles) {
      wait(full[stage], next.parity);
      T* const tile = ring + stage * size;
      const std::size_t first = first_element<threads, rows>(turn.tile);
      const unsigned here = elements_in(turn.tile);
      T v[rows][4];
      if (here == size) {
        const unsigned mine = (warp * rows * 32 + lane()) * 4;
#pragma unroll
        for (int k = 0; k < rows; ++k) Array<T>{tile}.four(mine + 128 * k, v[k]);
      } else {
        load_rows<Sum<T>, rows>(Array<T>{x}, n, first, false, v);
      }
      typename Work::template Registers<rows> registers;
      const Carry of_warp = work.look_at(v, registers, first, n);
      if (lane() == 0) of_warps[stage][warp] = of_warp;
      course::sync_consumers<Tile>();  // the workers alone
      const Carry of_lane = lane() < warps ? of_warps[stage][lane()] : Op::identity();
      const Carry own = warp_total<Op>(of_lane);
      const Carry before_warp = warp_total<Op>(lane() < warp ? of_lane : Op::identity());
      if (warp == 0) {
        Wait::template publish<Op>(state, turn, own);
        if (lane() == 0) own_of[stage] = own;
      }
      work.keep(tile, v, registers, before_warp, own, here);
    }
    course::arrive(published[stage]);
  };
  prepare(at);
  while (drawn[at.stage].tile < tiles) {
    const int stage = at.stage;
    const unsigned tile = drawn[stage].tile;
    course::PipelineState<Tile> next = at;
    next.next();
    prepare(next);
    wait(known[stage], at.parity);
    const Carry before = before_of[stage], own = own_of[stage];
    // The stage is free once all workers have what they write in registers.
    typename Work::template Output<rows> out;
    work.template take<threads, rows>(ring + stage * size, before, own, elements_in(tile), out);
    ptx::fence_proxy_async(ptx::space_shared);  // these reads, then the copy that overwrites
    course::sync_consumers<Tile>();
    if (threadIdx.x == 0) refill(stage);
    __syncwarp();
    work.template write<threads, rows>(out, tile, n, before, own);
    at = next;
  }
  if (threadIdx.x == 0) turn_of(upcoming, state, draws);
#endif
}

}  // namespace scan
