// Exercise 28c: one query per sequence, and keys and values in pages.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 28c

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
  // TODO (33 lines): each warp has every fourth page; then they put together what they have.
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
