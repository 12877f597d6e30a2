/// @file
/// The kernel of other formats: the ring of kernels.hpp, with operands that are stored either way,
/// batches, and sums that may be promoted.
#pragma once

#include "tensor_cores/format_epilogue.hpp"
#include "tensor_cores/format_producer.hpp"

namespace hopper {

#ifndef COURSE_WITHOUT_WGMMA

// ---------------------------------------------------------------- the two roles

/// Starts the products of one stage: a warpgroup's rows of A, beginning with `A`, times columns of
/// B. `adds`: to what d has.
template <class Tile, int count>
__device__ void multiply_stage(float (&d)[count], std::uint64_t A, std::uint64_t B, bool adds) {
  using F = typename Tile::Format;
#pragma unroll
  for (int i = 0; i < 4; ++i) {  // 32 bytes each
    multiply<F>(d, A + step_of<F::major_A> * i, B + step_of<F::major_B> * i, adds || i > 0);
  }
}

/// A consumer warpgroup multiplies all steps of a tile: the tensor core adds up everything.
template <class Tile, class Storage>
__device__ void sum_up(Storage& storage, PipelineState<Tile>& state,
                       float (&d)[Tile::products][Tile::cols / 2],
                       const TileScheduler<Tile>& scheduler) {
  using F = typename Tile::Format;
  const int group = static_cast<int>(threadIdx.x) / 128;
  int before = 0;
  for (int step = scheduler.first; step < scheduler.last; ++step) {
    const Stage<Tile>& stage = storage.stage[state.stage];
    wait(storage.full[state.stage], state.parity);
    fence_products();
    const std::uint64_t B = describe<F::major_B, Tile::depth>(stage.B);
#pragma unroll
    for (int p = 0; p < Tile::products; ++p) {
      const std::uint64_t A =
          describe<F::major_A, Tile::depth>(stage.A + (group * Tile::products + p) * 64 * 128);
      multiply_stage<Tile>(d[p], A, B, step > scheduler.first);
    }
    commit_products();
    if (step > scheduler.first) {
      wait_for_products<1>();
      release_stage(storage.empty[before], scheduler.cluster, scheduler.row, 0);
    }
    before = state.stage;
    state.next();
  }
  wait_for_products<0>();
  release_stage(storage.empty[before], scheduler.cluster, scheduler.row, 0);
}

/// The same, but the tensor core adds up the terms of one stage only, `width` columns at a time.
/// These sums are then promoted: added to others in FP32, by the threads. Where registers allow it,
/// the next part is multiplied meanwhile; otherwise the other warpgroup's.
template <class Tile, class Storage>
__device__ void sum_up_promoted(Storage& storage, PipelineState<Tile>& state,
                                float (&d)[Tile::products][Tile::cols / 2],
                                const TileScheduler<Tile>& scheduler) {
  static_assert(Tile::Format::major_A == Major::k && Tile::Format::major_B == Major::k);
  constexpr int count = Tile::width / 2;  // sums of a part
  constexpr int buffers = Tile::cols / 2 + 2 * count <= 192 ? 2 : 1;
  const int group = static_cast<int>(threadIdx.x) / 128;
  float few[buffers][count];
  const auto start = [&](int part) {
    const Stage<Tile>& stage = storage.stage[state.stage];
    fence_products();
    multiply_stage<Tile>(few[part % buffers], describe_A(stage.A + group * 64 * 128),
                         describe_A(stage.B + part * Tile::width * 128), false);
    commit_products();
  };
  const auto promote = [&](int part) {
#pragma unroll
    for (int j = 0; j < count; ++j) d[0][part * count + j] += few[part % buffers][j];
  };
#pragma unroll
  for (int i = 0; i < Tile::cols / 2; ++i) d[0][i] = 0.0F;
  for (int step = scheduler.first; step < scheduler.last; ++step) {
    wait(storage.full[state.stage], state.parity);
    start(0);
#pragma unroll
    for (int part = 0; part + 1 < Tile::parts; ++part) {
      if constexpr (buffers == 2) {
        start(part + 1);
        wait_for_products<1>();
        promote(part);
      } else {
        wait_for_products<0>();
        promote(part);
        start(part + 1);
      }
    }
    wait_for_products<0>();
    release_stage(storage.empty[state.stage], scheduler.cluster, scheduler.row, 0);
    promote(Tile::parts - 1);
    state.next();
  }
}

/// The work of a consumer warpgroup.
template <class Tile, class Storage, class Maps, class Product>
__device__ void consume(Storage& storage, const Maps& maps, const Product& g,
                        TileScheduler<Tile> scheduler, Output output) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  SumWriter<Tile, Product> write{storage.epilogue[warp], maps.C, g, output};
  PipelineState<Tile> state;
  while (scheduler.next()) {
    const BatchPlace<Tile> place(scheduler, g);
    const int row = place.row + 64 * group * Tile::products + 16 * (warp % 4);
    const TileScales<Tile> scales(g, place.matrix, row, place.col);
    float d[Tile::products][Tile::cols / 2];
    if constexpr (Tile::promotes) {
      sum_up_promoted<Tile>(storage, state, d, scheduler);
    } else {
      sum_up<Tile>(storage, state, d, scheduler);
    }
#pragma unroll
    for (int p = 0; p < Tile::products; ++p) {
      write(d[p], scales, p, place.matrix, row + 64 * p, place.col);
    }
  }
  wait_until_read<0>();  // shared memory must exist until then
}

#endif

/// As gemm_ring, with operands of any format, and batches: the tiles of all matrices are one list.
template <class Tile>
__global__ void __launch_bounds__(128 * (Tile::groups + 1), 1)
    gemm_format(const __grid_constant__ FormatMaps<Tile> maps,
                const typename Tile::Format::Product g, const course::Plan plan,
                const int band_height, const Output output) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<Tile, true>*>(shared);
  init_ring<Tile>(storage, maps, Tile::partners);
  if constexpr (Tile::cluster == 1) {
    __syncthreads();
  } else {
    sync_cluster();
  }
  const TileScheduler<Tile> scheduler(plan, band_height, {Tile::down, Tile::across});
  if (threadIdx.x >= 128 * Tile::groups) {
    setmaxnreg_dec<producer_registers<Tile>>();
    if (threadIdx.x == 128 * Tile::groups) produce<Tile>(storage, maps, g, scheduler);
  } else {
    setmaxnreg_inc<consumer_registers<Tile>>();
    consume<Tile>(storage, maps, g, scheduler, output);
  }
  if constexpr (Tile::cluster > 1) sync_cluster();
#endif
}

}  // namespace hopper
