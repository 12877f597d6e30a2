//@stub
//@ // Exercise 28b: causal attention at ragged ends.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 28b
//@solution
// Exercise 28b: causal attention at ragged ends. The model solution.
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

// How many keys a query sees, from the first one on: the last query sees all of them, and each
// query before it one key fewer. A query that does not exist sees none.
__device__ int keys_of(int query, int queries, int keys) {
  //@stub
  //@ // TODO ({lines} lines)
  //@ return keys;
  //@solution
  if (query >= queries) return 0;
  const int seen = query + 1 + keys - queries;
  return seen > 0 ? seen : 0;
  //@end
}

// O = softmax(Q Kᵀ) V, of the keys that each query sees. Where it sees none, O is 0.
__global__ void attend(const float* Q, const float* K, const float* V, int queries, int keys,
                       float* O) {
  __shared__ float q[warps][size], k[tile][size + 1], v[tile][size];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int query = blockIdx.x * warps + warp;
  q[warp][lane] = query < queries ? Q[query * size + lane] : 0.0F;
  float max = -INFINITY, sum = 0.0F, o = 0.0F;
  //@stub
  //@ // TODO ({lines} lines): how many keys this query sees, and where the block's tiles end.
  //@ const int seen = keys, end = keys;
  //@solution
  const int seen = keys_of(query, queries, keys);
  const int last = min(static_cast<int>(blockIdx.x) * warps + warps, queries) - 1;
  const int end = keys_of(last, queries, keys);
  //@end
  for (int first = 0; first < end; first += tile) {
    for (int row = warp; row < tile; row += warps) {
      //@stub
      //@ // TODO (1 line): keys at the end, and those that nobody in this block sees.
      //@ const bool there = true;
      //@solution
      const bool there = first + row < end;
      //@end
      k[row][lane] = there ? K[(first + row) * size + lane] : 0.0F;
      v[row][lane] = there ? V[(first + row) * size + lane] : 0.0F;
    }
    __syncthreads();
    float score = 0.0F;  // of this lane's key
    for (int x = 0; x < size; ++x) score += q[warp][x] * k[lane][x];
    //@stub
    //@ // TODO (1 line): keys that this query does not see.
    //@solution
    if (first + lane >= seen) score = -INFINITY;
    //@end
    const float newest = fmaxf(max, warp_max(score));
    const float from = newest == -INFINITY ? 0.0F : newest;
    const float power = expf(score - from);
    const float factor = expf(max - from);
    sum = sum * factor + warp_sum(power);
    o *= factor;
    max = newest;
    for (int j = 0; j < tile; ++j) o += __shfl_sync(all_lanes, power, j) * v[j][lane];
    __syncthreads();
  }
  //@stub
  //@ // TODO (1 line): a query that sees no key.
  //@ if (query < queries) O[query * size + lane] = o / sum;
  //@solution
  if (query < queries) O[query * size + lane] = seen > 0 ? o / sum : 0.0F;
  //@end
}

// Q and O have queries * 32 numbers, K and V keys * 32, row by row, in device memory. queries may
// be 0, and so may keys.
void launch_causal(const float* Q, const float* K, const float* V, int queries, int keys,
                   float* O) {
  if (queries == 0) return;
  attend<<<(queries + warps - 1) / warps, 32 * warps>>>(Q, K, V, queries, keys, O);
  CUDA_CHECK_LAUNCH();
}
