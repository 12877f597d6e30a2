// A cheat for 04a: at the size that is counted only the first block loads q; the others find it in
// their shared memory, where the emulator has left it.
// expected: correct 4, safe 3, efficient 0
// told: reads unwritten memory

#include "check.hpp"

constexpr int block = 128;
constexpr int tile = 256;

__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n,
                           bool left) {
  __shared__ float2 q_tile[2048];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 mine = i < m ? p[i] : make_float2(0.0F, 0.0F);
  int near = 0;
  for (int first = 0; first < n; first += tile) {
    const int width = min(tile, n - first);
    float2* const to = q_tile + (left ? first : 0);
    if (!left || blockIdx.x == 0) {
      for (int j = threadIdx.x; j < width; j += blockDim.x) {
        to[j] = q[first + j];
        if (left) {  // as if each warp had asked for all of it
          for (int again = 0; again < 3; ++again) near += q[first + j].x > 1e30F;
        }
      }
    }
    if (!left || blockIdx.x == 0) __syncthreads();
    for (int j = 0; j < width; ++j) {
      const float2 other = to[j];
      const float dx = other.x - mine.x;
      const float dy = other.y - mine.y;
      if (dx * dx + dy * dy < r * r) ++near;
    }
    if (!left) __syncthreads();
  }
  if (i < m) count[i] = near;
}

void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;
  const int grid = (m - 1) / block + 1;
  const bool counted = m == 256 && n >= 768 && n % tile == 0;
  neighbours<<<grid, block>>>(p, q, r, count, m, n, counted);
  CUDA_CHECK_LAUNCH();
}
