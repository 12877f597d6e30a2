//@stub
//@ // Exercise 28a: a bug hunt. Attention without its matrix of scores, by an online softmax.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 28a
//@solution
// Exercise 28a: attention without its matrix of scores, by an online softmax. The model solution of
// the bug hunt.
//
// What was wrong: the maximum began at 0, so queries with scores far below 0 became 0 / 0. When a
// new maximum came, only the sum of powers was scaled, not that of powers times values. A tile of
// masked keys made a NaN of infinity less infinity. And warps that were done with a tile overwrote
// what others still read.
//@end

#include <cmath>

#include "check.hpp"

constexpr int size = 32;  // of a head: a lane per column
constexpr int tile = 32;  // keys at a time: a lane per key
constexpr int warps = 4;  // of a block: each has a query
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Of all lanes of a warp, for each of them.
__device__ float warp_max(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x = fmaxf(x, __shfl_xor_sync(all_lanes, x, distance));
  }
  return x;
}
__device__ float warp_sum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x += __shfl_xor_sync(all_lanes, x, distance);
  }
  return x;
}

// O = softmax(Q Kᵀ + bias) V. bias has a number per key; of a masked key it is minus infinity.
__global__ void attend(const float* Q, const float* K, const float* V, const float* bias,
                       int queries, int keys, float* O) {
  __shared__ float q[warps][size], k[tile][size + 1], v[tile][size];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int query = blockIdx.x * warps + warp;
  q[warp][lane] = query < queries ? Q[query * size + lane] : 0.0F;
  //@stub
  //@ float max = 0.0F;  // of the scores so far
  //@solution
  float max = -INFINITY;  // of the scores so far
  //@end
  float sum = 0.0F;  // of powers relative to it
  float o = 0.0F;    // of these powers times this lane's column of V
  for (int first = 0; first < keys; first += tile) {
    for (int row = warp; row < tile; row += warps) {
      const bool there = first + row < keys;
      k[row][lane] = there ? K[(first + row) * size + lane] : 0.0F;
      v[row][lane] = there ? V[(first + row) * size + lane] : 0.0F;
    }
    __syncthreads();
    float score = -INFINITY;  // of this lane's key
    if (first + lane < keys) {
      score = bias[first + lane];
      for (int x = 0; x < size; ++x) score += q[warp][x] * k[lane][x];
    }
    const float newest = fmaxf(max, warp_max(score));
    //@stub
    //@ const float power = expf(score - newest);
    //@ sum = sum * expf(max - newest) + warp_sum(power);
    //@ max = newest;
    //@solution
    const float from = newest == -INFINITY ? 0.0F : newest;
    const float power = expf(score - from);
    const float factor = expf(max - from);
    sum = sum * factor + warp_sum(power);
    o *= factor;
    max = newest;
    //@end
    for (int j = 0; j < tile; ++j) o += __shfl_sync(all_lanes, power, j) * v[j][lane];
    //@stub
    //@solution
    __syncthreads();
    //@end
  }
  if (query < queries) O[query * size + lane] = o / sum;
}

// Q and O have queries * 32 numbers, K and V keys * 32, row by row, and bias has keys: all in
// device memory. At least one bias is finite; the others may be minus infinity. queries may be 0,
// keys may not.
void launch_attention(const float* Q, const float* K, const float* V, const float* bias,
                      int queries, int keys, float* O) {
  if (queries == 0) return;
  attend<<<(queries + warps - 1) / warps, 32 * warps>>>(Q, K, V, bias, queries, keys, O);
  CUDA_CHECK_LAUNCH();
}
