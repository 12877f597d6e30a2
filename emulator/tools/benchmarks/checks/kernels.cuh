#pragma once
// The kernels, as in kernels.cl: the same statements, line for line, in the words of CUDA. The
// words of OpenCL are defined in harness.py, by which bench_checks.py refuses files that differ
// otherwise.

__global__ void empty() {}

__global__ void saxpy(int n, float alpha, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

// A row a thread.
__global__ void sgemv(int n, const float* a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k] * x[k];
  y[i] = sum;
}

__global__ void gemm(int n, const float* a, const float* b, float* c) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    tile_a[ty][tx] = row < n && k0 + tx < n ? a[row * n + k0 + tx] : 0;
    tile_b[ty][tx] = col < n && k0 + ty < n ? b[(k0 + ty) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

// A sum a block.
__global__ void reduction(int n, const float* x, float* sums) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int reach = 128; reach > 0; reach /= 2) {
    if (t < reach) tile[t] += tile[t + reach];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

__global__ void stencil(int n, const float* x, float* y) {
  __shared__ float tile[258];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[t + 1] = i < n ? x[i] : 0;
  if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
  if (t == 255) tile[257] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n) y[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2];
}

// The reduction, without the barrier between two steps.
__global__ void missing_barrier(int n, const float* x, float* sums) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int reach = 128; reach > 0; reach /= 2) {
    if (t < reach) tile[t] += tile[t + reach];
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

// SAXPY, one element too far.
__global__ void past_the_end(int n, float alpha, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = alpha * x[i] + y[i];
}

// The stencil, without the halo.
__global__ void never_written(int n, const float* x, float* y) {
  __shared__ float tile[258];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[t + 1] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2];
}
