/// @file
/// The kernel for any GPU: all threads copy, and all read ahead.
#pragma once

#include "epilogue.hpp"

namespace ours {

/// More than 48 KiB of shared memory per block must be requested.
template <class Kernel>
void allow_shared(Kernel kernel, int bytes) {
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

/// One tile of C per block. While the numbers of a step are multiplied, those of the next are in
/// flight from shared memory; while a stage is, the next stages are in flight from global memory.
/// The wait and the barrier come before the last step of a stage; after them its successor is read.
/// `floats`: of B, per copy.
template <class T, int floats>
__global__ void __launch_bounds__(T::threads, T::R* T::C <= 64 ? 2 : 1)
    gemm_ahead(const Product g, const Plan plan, const bool wide) {
  extern __shared__ float4 shared[];
  float* stages = reinterpret_cast<float*>(shared);
  const std::uint32_t first_stage = shared_address(stages);
  const int2 place = plan.place_of(blockIdx.x);
  const int row = place.x * T::rows;
  const int col = place.y * T::cols;
  const auto prefetch = [&](int step) {
    if (step < plan.steps) {
      const std::uint32_t stage = first_stage + step % T::stages * T::floats * 4;
      copy_A<T, T::threads>(stage, g, row, step * T::depth, threadIdx.x);
      copy_B<T, T::threads, floats>(stage, g, step * T::depth, col, threadIdx.x);
    }
    __pipeline_commit();
  };

  if (floats > 1) clear_columns<T>(stages, g.n - col);
  Sums<T> sums;
  sums.clear();
  for (int step = 0; step < T::stages - 1; ++step) prefetch(step);
  const auto arrive_at = [&](int step) {
    if (step == plan.steps) return;
    __pipeline_wait_prior(T::stages - 2);
    __syncthreads();
    sums.read_first(stages + step % T::stages * T::floats);
  };
  arrive_at(0);
  for (int step = 0; step < plan.steps; ++step) {
    prefetch(step + T::stages - 1);
    sums.template steps_ahead<2>(stages + step % T::stages * T::floats, T::depth,
                                 [&] { arrive_at(step + 1); });
  }
  sums.settle(plan.one);
  sums.write(g.C + row * g.ldc + col, g.ldc, g.m - row, g.n - col, wide, g.alpha, g.beta);
}

/// One block per tile of C. The first kernel is for a B whose rows are aligned to 16 bytes.
template <class T, class Kernel>
void launch_tiles(Kernel by_fours, Kernel by_ones, const Product& g) {
  if (g.m == 0 || g.n == 0) return;
  const Kernel kernel = on_16_bytes(g.B, g.ldb) ? by_fours : by_ones;
  allow_shared(kernel, T::bytes);
  const Plan plan = data_parallel_plan<T>(g.m, g.n, g.k);
  kernel<<<plan.whole, T::threads, T::bytes>>>(g, plan, on_16_bytes(g.C, g.ldc));
  CUDA_CHECK_LAUNCH();
}

template <class T>
void launch_ahead(const Product& g) {
  launch_tiles<T>(gemm_ahead<T, 4>, gemm_ahead<T, 1>, g);
}

}  // namespace ours
