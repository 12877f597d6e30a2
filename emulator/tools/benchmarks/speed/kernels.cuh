#pragma once
// The kernels, as in kernels.cl: the same statements, line for line, in the words of CUDA.
// bench_speed.py refuses files that differ otherwise.

// One row per thread; A is column-major.
__global__ void sgemv(int n, const float* a, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j * n + row] * x[j];
  y[row] = sum;
}

template <int tile>
__global__ void gemm(int n, const float* a, const float* b, float* c) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * tile + tx;
  const int row = blockIdx.y * tile + ty;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    a_tile[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0;
    b_tile[ty][tx] = first + ty < n && col < n ? b[(first + ty) * n + col] : 0;
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += a_tile[ty][p] * b_tile[p][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
