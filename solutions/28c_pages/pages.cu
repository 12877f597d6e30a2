//@stub
//@ // Exercise 28c: one query per sequence, and keys and values in pages.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 28c
//@solution
// Exercise 28c: one query per sequence, and keys and values in pages. The model solution.
//@end

#include <cmath>

#include "check.hpp"

constexpr int size = 32;     // of a head: a lane per column
constexpr int of_page = 16;  // keys
constexpr int warps = 4;     // of a block, which has a sequence
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Of all lanes of a warp, for each of them.
__device__ float warp_sum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x += __shfl_xor_sync(all_lanes, x, distance);
  }
  return x;
}

// A block has a sequence: its query, and lengths[sequence] keys and values. Key j is in page
// pages[sequence * most_pages + j / 16], at place j % 16.
__global__ void attend(const float* Q, const float* K, const float* V, const int* pages,
                       const int* lengths, int most_pages, float* O) {
  //@stub
  //@ // TODO ({lines} lines): each warp has every fourth page; then they put together what they have.
  //@solution
  __shared__ float maxima[warps], sums[warps], os[warps][size];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int sequence = blockIdx.x;
  const int length = lengths[sequence];
  const float q = Q[sequence * size + lane];
  float max = -INFINITY, sum = 0.0F, o = 0.0F;
  for (int p = warp; p * of_page < length; p += warps) {
    const int page = pages[sequence * most_pages + p];
    const int count = min(of_page, length - p * of_page);
    for (int j = 0; j < count; ++j) {
      const size_t at = (static_cast<size_t>(page) * of_page + j) * size + lane;
      const float score = warp_sum(q * K[at]);
      const float newest = fmaxf(max, score);
      const float power = expf(score - newest);
      const float factor = expf(max - newest);
      sum = sum * factor + power;
      o = o * factor + power * V[at];
      max = newest;
    }
  }
  if (lane == 0) maxima[warp] = max, sums[warp] = sum;
  os[warp][lane] = o;
  __syncthreads();
  if (warp > 0) return;
  float all = -INFINITY;
  for (int w = 0; w < warps; ++w) all = fmaxf(all, maxima[w]);
  sum = o = 0.0F;
  for (int w = 0; w < warps; ++w) {
    const float factor = maxima[w] == -INFINITY ? 0.0F : expf(maxima[w] - all);
    sum += sums[w] * factor;
    o += os[w][lane] * factor;
  }
  O[sequence * size + lane] = length > 0 ? o / sum : 0.0F;
  //@end
}

// Q and O have sequences * 32 numbers. K and V have pages of 16 rows of 32 numbers; which of them
// belong to whom is in pages, sequences * most_pages. All are in device memory. A sequence may have
// the length 0: its O is 0. sequences may be 0.
void launch_pages(const float* Q, const float* K, const float* V, const int* pages,
                  const int* lengths, int sequences, int most_pages, float* O) {
  if (sequences == 0) return;
  attend<<<sequences, 32 * warps>>>(Q, K, V, pages, lengths, most_pages, O);
  CUDA_CHECK_LAUNCH();
}
