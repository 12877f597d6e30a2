// A right solution for 04a: a pipeline of the block brings each tile while another is used.
// expected: full marks

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "check.hpp"

constexpr int block = 128;
constexpr int tile = 256;
constexpr int stages = 2;

__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  __shared__ float2 tiles[stages][tile];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto group = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(group, &state);
  const int i = blockIdx.x * block + threadIdx.x;
  const float2 own = i < m ? p[i] : make_float2(0, 0);
  const int steps = (n + tile - 1) / tile;
  int fetched = 0;
  int found = 0;
  for (int step = 0; step < steps; ++step) {
    for (; fetched < steps && fetched < step + stages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(group, tiles[fetched % stages], q + fetched * tile,
                         sizeof(float2) * min(tile, n - fetched * tile), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    for (int j = 0; j < min(tile, n - step * tile); ++j) {
      const float2 other = tiles[step % stages][j];
      const float dx = other.x - own.x;
      const float dy = other.y - own.y;
      if (dx * dx + dy * dy < r * r) ++found;
    }
    pipeline.consumer_release();
  }
  if (i < m) count[i] = found;
}

void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;
  neighbours<<<(m - 1) / block + 1, block>>>(p, q, r, count, m, n);
  CUDA_CHECK_LAUNCH();
}
