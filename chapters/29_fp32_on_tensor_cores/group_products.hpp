/// @file
/// C = A B for floats by wgmma, from matrices of packed parts: chapter 22's ring, whose consumers
/// multiply parts with parts, and promote their sums.
#pragma once

#include "packed.hpp"
#include "tensor_cores/format_epilogue.hpp"
#include "tensor_cores/format_producer.hpp"

namespace fp32 {

/// A tile of C, 128 rows high, by two consumer warpgroups.
/// @tparam parts_, most_ as in Scheme
/// @tparam interval_ after so many stages sums are promoted; 0: never
/// @tparam passes_ a warpgroup computes its columns in so many passes per stage: so fewer of the
///         tensor core's sums exist at a time. Two need an interval of 1.
template <class Number_, int cols_, int stages_, int down_, int parts_, int most_, int interval_,
          int passes_ = 1>
struct PartsTile
    : hopper::FormatTile<hopper::Format<typename Number_::Number, typename Number_::Number, float,
                                        hopper::Major::k, hopper::Major::mn>,
                         128, cols_, stages_, down_> {
  using Number = Number_;
  static constexpr int parts_of_number = parts_;
  static constexpr int most = most_;
  static constexpr int interval = interval_;
  static constexpr int passes = passes_;
  static constexpr int pass_cols = cols_ / passes_;
  static_assert(passes == 1 || interval == 1);
};

#ifndef COURSE_WITHOUT_WGMMA

/// Starts the products of one stage, of all parts: small ones before large ones.
/// @param adds to what d has
template <class Tile, int count>
__device__ void multiply_parts(float (&d)[count], const hopper::Stage<Tile>& stage, int group,
                               int pass, bool adds) {
  constexpr int steps = terms_of_tile<Tile::parts_of_number> / 16;  // of a part
  constexpr int slab = Tile::depth * 128;
  const std::uint64_t A = hopper::describe_A(stage.A + group * 64 * 128);
  const std::uint64_t B = hopper::describe_B(stage.B + pass * (Tile::pass_cols / 64) * slab, slab);
#pragma unroll
  for (int level = Tile::most; level >= 0; --level) {
#pragma unroll
    for (int p = 0; p <= level; ++p) {
      const int q = level - p;
      if (p >= Tile::parts_of_number || q >= Tile::parts_of_number) continue;
#pragma unroll
      for (int i = 0; i < steps; ++i) {
        using F = typename Tile::Format;
        hopper::multiply<F>(d, A + 2 * (p * steps + i), B + 128 * (q * steps + i), adds);
        adds = true;
      }
    }
  }
}

/// A consumer warpgroup multiplies all steps of a tile.
template <class Tile, class Storage>
__device__ void sum_up_parts(Storage& storage, hopper::PipelineState<Tile>& state,
                             float (&d)[Tile::cols / 2],
                             const hopper::TileScheduler<Tile>& scheduler) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  const auto release = [&](int stage) {
    hopper::release_stage(storage.empty[stage], scheduler.cluster, scheduler.row, 0);
  };
  const auto arrived = [&]() -> const hopper::Stage<Tile>& {
    hopper::wait(storage.full[state.stage], state.parity);
    hopper::fence_products();
    return storage.stage[state.stage];
  };
  if constexpr (Tile::interval == 0) {  // the tensor core adds up everything
    int before = 0;
    for (int step = scheduler.first; step < scheduler.last; ++step) {
      multiply_parts<Tile>(d, arrived(), group, 0, step > scheduler.first);
      hopper::commit_products();
      if (step > scheduler.first) {
        hopper::wait_for_products<1>();
        release(before);
      }
      before = state.stage;
      state.next();
    }
    hopper::wait_for_products<0>();
    release(before);
  } else {
    constexpr int count = Tile::pass_cols / 2;
    float few[count];
    const auto promote = [&](int pass) {
#pragma unroll
      for (int j = 0; j < count; ++j) d[pass * count + j] += few[j];
    };
#pragma unroll
    for (float& sum : d) sum = 0.0F;
    if constexpr (Tile::passes > 1) {
      for (int step = scheduler.first; step < scheduler.last; ++step) {
        const hopper::Stage<Tile>& stage = arrived();
#pragma unroll
        for (int pass = 0; pass < Tile::passes; ++pass) {
          if (pass > 0) hopper::fence_products();
          multiply_parts<Tile>(few, stage, group, pass, false);
          hopper::commit_products();
          hopper::wait_for_products<0>();
          if (pass + 1 == Tile::passes) release(state.stage);
          promote(pass);
        }
        state.next();
      }
    } else {
      for (int step = scheduler.first; step < scheduler.last;) {
        const int begin = step;
        const int end = min(step + Tile::interval, scheduler.last);
        int before = 0;
        for (; step < end; ++step) {
          multiply_parts<Tile>(few, arrived(), group, 0, step > begin);
          hopper::commit_products();
          if (step > begin) {
            hopper::wait_for_products<1>();
            release(before);
          }
          before = state.stage;
          state.next();
        }
        hopper::wait_for_products<0>();
        release(before);
        promote(0);
      }
    }
  }
}

/// The scaling undone: of each of a thread's two rows; and of the columns, lane l has every 32nd.
template <class Tile>
__device__ void unscale(float (&d)[Tile::cols / 2], const Product& g, int row, int col) {
  constexpr int top = Tile::Number::top;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int rows[2];
  int cols[Tile::cols / 32];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    rows[i] = exponent_to(top, g.largest_A[min(row + lane / 4 + 8 * i, g.m - 1)]);
  }
#pragma unroll
  for (int i = 0; i < Tile::cols / 32; ++i) {
    cols[i] = exponent_to(top, g.largest_B[min(col + 32 * i + lane, g.n - 1)]);
  }
#pragma unroll
  for (int c = 0; c < Tile::cols / 8; ++c) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int of_col = __shfl_sync(~0U, cols[c / 4], c % 4 * 8 + lane % 4 * 2 + i);
      d[4 * c + i] = times_power(d[4 * c + i], -rows[0] - of_col);
      d[4 * c + 2 + i] = times_power(d[4 * c + 2 + i], -rows[1] - of_col);
    }
  }
}

/// The work of a consumer warpgroup.
template <class Tile, class Storage>
__device__ void consume_parts(Storage& storage, const hopper::FormatMaps<Tile>& maps,
                              const typename Tile::Format::Product& packed, const Product& g,
                              hopper::TileScheduler<Tile> scheduler, hopper::Output output) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  hopper::SumWriter<Tile, typename Tile::Format::Product> write{storage.epilogue[warp], maps.C,
                                                                packed, output};
  hopper::PipelineState<Tile> state;
  while (scheduler.next()) {
    const hopper::BatchPlace<Tile> place(scheduler, packed);
    const int row = place.row + 64 * group + 16 * (warp % 4);
    const hopper::TileScales<Tile> none(packed, 0, row, place.col);
    float d[Tile::cols / 2];
    sum_up_parts<Tile>(storage, state, d, scheduler);
    if constexpr (Tile::Number::scales) unscale<Tile>(d, g, row, place.col);
    write(d, none, 0, 0, row, place.col);
  }
  hopper::wait_until_read<0>();  // shared memory must exist until then
}

#endif

/// As chapter 22's gemm_format.
/// @param packed A, B and k as packed
template <class Tile>
__global__ void __launch_bounds__(128 * (Tile::groups + 1), 1)
    gemm_groups(const __grid_constant__ hopper::FormatMaps<Tile> maps,
                const typename Tile::Format::Product packed, const Product g,
                const course::Plan plan, const int band_height, const hopper::Output output) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<hopper::Storage<Tile, true>*>(shared);
  hopper::init_ring<Tile>(storage, maps, Tile::partners);
  if constexpr (Tile::cluster == 1) {
    __syncthreads();
  } else {
    hopper::sync_cluster();
  }
  const hopper::TileScheduler<Tile> scheduler(plan, band_height, {Tile::down, Tile::across});
  if (threadIdx.x >= 128 * Tile::groups) {
    hopper::setmaxnreg_dec<hopper::producer_registers<Tile>>();
    if (threadIdx.x == 128 * Tile::groups) {
      hopper::produce<Tile>(storage, maps, packed, scheduler);
    }
  } else {
    hopper::setmaxnreg_inc<hopper::consumer_registers<Tile>>();
    consume_parts<Tile>(storage, maps, packed, g, scheduler, output);
  }
  if constexpr (Tile::cluster > 1) hopper::sync_cluster();
#endif
}

}  // namespace fp32
