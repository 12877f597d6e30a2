// Exercise 22a: a bug hunt. A ring of stages, and the phases of its barriers.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 22a

#include <cuda/barrier>

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int adders = 128;  // threads that add
constexpr int copiers = 32;  // threads that copy: one warp
constexpr int piece = 256;   // numbers of a row that a stage holds
constexpr int stages = 3;

// A place in the ring, and the phase of its barriers: 0, 1, 0, 1, ... whenever the ring begins
// again.
struct PipelineState {
  int stage;
  bool parity;
};
__device__ PipelineState state_of(int number) {
  return {number % stages, number / stages % 2 == 1};
}

// y[i] = sum of row i of A, which is m x n. A block takes every gridDim.x-th row. y holds zeros.
__global__ void row_sums(const float* A, float* y, int m, int n) {
  __shared__ float numbers[stages][piece];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[stages];   // the stage holds a piece
  __shared__ Barrier empty[stages];  // all have read it
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      init(&full[s], copiers);
      init(&empty[s], adders / 32);
    }
  }
  __syncthreads();
  const int pieces = (n + piece - 1) / piece;

  if (threadIdx.x >= adders) {  // the warp that copies
    for (int row = blockIdx.x; row < m; row += gridDim.x) {
      for (int p = 0; p < pieces; ++p) {
        const PipelineState state = state_of(p);
        empty[state.stage].wait_parity(!state.parity);  // the first time at once
        for (int x = threadIdx.x - adders; x < piece; x += copiers) {
          const int col = p * piece + x;
          numbers[state.stage][x] = col < n ? A[at(row, col, n)] : 0.0F;
        }
        static_cast<void>(full[state.stage].arrive());
      }
    }
    return;
  }

  for (int row = blockIdx.x; row < m; row += gridDim.x) {
    float sum = 0.0F;
    for (int p = 0; p < pieces; ++p) {
      const PipelineState state = state_of(p);
      full[state.stage].wait_parity(state.parity);
      static_cast<void>(empty[state.stage].arrive());
      for (int x = threadIdx.x; x < piece; x += adders) sum += numbers[state.stage][x];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_down_sync(0xFFFFFFFFU, sum, distance);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(&y[row], sum);
  }
}

// All pointers are to device memory. m and n may be 0. Four blocks at most: that is part of the
// task.
void launch_row_sums(const float* A, float* y, int m, int n) {
  if (m == 0) return;
  CUDA_CHECK(cudaMemset(y, 0, sizeof(float) * static_cast<std::size_t>(m)));
  row_sums<<<min(m, 4), adders + copiers>>>(A, y, m, n);
  CUDA_CHECK_LAUNCH();
}
