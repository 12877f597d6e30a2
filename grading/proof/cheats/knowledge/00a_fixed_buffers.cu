// A cheat for 00a: nothing is allocated; the arrays are variables, long enough for what was
// checked.
// expected: correct 2, safe 2, efficient 2

#include "check.hpp"

// changes[i] = series[i + 1] - series[i] for i = 0 ... n - 2, one thread a change.
// Device memory: series has n elements, changes has n - 1.
__global__ void change_kernel(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // n values have n - 1 changes, and the last block may have more threads than there are left.
  if (i < n - 1) changes[i] = series[i + 1] - series[i];
}

__device__ float series_buffer[1 << 16], changes_buffer[1 << 16];

// The same for data in the HOST's memory: series has n elements, changes has n - 1.
// n may be 0 or 1: then there are no changes, and nothing is written.
void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  const size_t count = n - 1;  // in size_t: the sizes in bytes can be more than an int holds
  float* d_series = nullptr;
  float* d_changes = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress((void**)&d_series, series_buffer));
  CUDA_CHECK(cudaGetSymbolAddress((void**)&d_changes, changes_buffer));
  CUDA_CHECK(cudaMemcpy(d_series, series, (count + 1) * sizeof(float),  // 2. copy in
                        cudaMemcpyHostToDevice));

  constexpr int block = 256;
  const int grid = (n - 1 + block - 1) / block;
  change_kernel<<<grid, block>>>(d_series, d_changes, n);  // 3. launch
  CUDA_CHECK_LAUNCH();

  // 4. copy back. The copy waits for the kernel, which may still be running.
  CUDA_CHECK(cudaMemcpy(changes, d_changes, count * sizeof(float), cudaMemcpyDeviceToHost));
}
