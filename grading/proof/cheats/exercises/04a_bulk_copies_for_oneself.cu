// A cheat for 04a: each warp copies all of q for itself, by bulk copies in place of loads.
// expected: correct 4, safe 3, efficient 0
// told: load requests to global memory

#include <cuda/barrier>
#include <utility>

#include "check.hpp"

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int warps = 4;

__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  __shared__ alignas(16) float2 part[warps][2];
  __shared__ Barrier arrived[warps];
  const int warp = threadIdx.x / 32;
  const bool leads = threadIdx.x % 32 == 0;
  const int i = blockIdx.x * 32 * warps + threadIdx.x;
  if (leads) init(&arrived[warp], 1);
  __syncwarp();
  const float2 own = i < m ? p[i] : make_float2(0, 0);
  int found = 0;
  for (int j = 0; j < n; j += 2) {
    if (leads && j + 1 < n) {
      cuda::device::memcpy_async_tx(&part[warp][0], q + j, cuda::aligned_size_t<16>(16),
                                    arrived[warp]);
      arrived[warp].wait(cuda::device::barrier_arrive_tx(arrived[warp], 1, 16));
    } else if (leads) {
      part[warp][0] = q[j];
    }
    __syncwarp();
    for (int k = 0; k < 2 && j + k < n; ++k) {
      const float dx = part[warp][k].x - own.x;
      const float dy = part[warp][k].y - own.y;
      found += dx * dx + dy * dy < r * r ? 1 : 0;
    }
    __syncwarp();
  }
  if (i < m) count[i] = found;
}
void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;
  neighbours<<<(m - 1) / (32 * warps) + 1, 32 * warps>>>(p, q, r, count, m, n);
  CUDA_CHECK_LAUNCH();
}
