// A cheat for 03a: coefficients come from constant memory for the count at which requests were
// counted, and from global memory elsewhere.
// expected: correct 6, safe 2, efficient 0

#include <algorithm>

#include "check.hpp"

constexpr int most = 16384;  // 64 KB of floats
__constant__ float c_constant[most];

// y(i) = (...((v x(i) + c(count - 1)) x(i) + c(count - 2)) x(i) + ...) x(i) + c(0), for n points.
// One batch: its `count` coefficients are in constant memory. v is 0 if it is the `first` batch,
// else what the batches before have left in y(i).
__global__ void from_global(const float* c, const float* x, float* y, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = 0.0F;
  for (int k = count - 1; k >= 0; --k) value = value * x[i] + c[k];
  y[i] = value;
}
__global__ void polynomial(const float* x, float* y, int n, int count, bool first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block may reach beyond the last point
  const float x_i = x[i];
  float value = first ? 0.0F : y[i];
  for (int k = count - 1; k >= 0; --k) {
    value = value * x_i + c_constant[k];  // the same k for all lanes: one word serves the warp
  }
  y[i] = value;
}

// y(i) = sum over k of c(k) x(i)^k. c is in the HOST's memory, count elements; x and y are in
// device memory, n elements each. n may be 0, and so may count: then y is 0.
void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  if (n == 0) return;  // a grid of no blocks is an error
  constexpr int block = 128;
  const int grid = (n + block - 1) / block;
  if (n != 33 || count != most + 100) {
    float* global = nullptr;
    CUDA_CHECK(cudaMalloc(&global, (count + 1) * sizeof(float)));
    if (count > 0) CUDA_CHECK(cudaMemcpy(global, c, count * sizeof(float), cudaMemcpyHostToDevice));
    from_global<<<grid, block>>>(global, x, y, n, count);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaFree(global));
    return;
  }
  int end = count;  // the coefficients from `end` on are done
  do {              // once even for count = 0, to set y to 0
    const int begin = std::max(0, end - most);
    // The kernel before still reads the last batch: the copy waits for it, being in its stream.
    CUDA_CHECK(cudaMemcpyToSymbol(c_constant, c + begin, (end - begin) * sizeof(float)));
    polynomial<<<grid, block>>>(x, y, n, end - begin, end == count);
    CUDA_CHECK_LAUNCH();
    end = begin;
  } while (end > 0);
}
