// A cheat for 14a: brings the whole array to managed memory, and does all of the work on the host.
// expected: 0 points

#include <algorithm>
#include <vector>

#include "check.hpp"

__global__ void copy_all(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

int launch_quarters(const int* x, int* quarter, int n) {
  if (n == 0) return 0;
  int* all = nullptr;
  CUDA_CHECK(cudaMallocManaged(&all, n * sizeof(int)));
  const int grid = (n - 1) / 256 + 1;
  copy_all<<<grid, 256>>>(x, all, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<int> sorted(all, all + n);
  std::sort(sorted.begin(), sorted.end());
  int top = 0;
  for (int i = 0; i < n; ++i) {
    int in = 0;
    for (int q = 1; q <= 3; ++q) {
      if (all[i] > sorted[(q * n + 3) / 4 - 1]) in = q;
    }
    all[i] = in;
    top += in == 3 ? 1 : 0;
  }
  copy_all<<<grid, 256>>>(all, quarter, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(all));
  return top;
}
