// Exercise 27b: how far each number is from its row's mean, in deviations.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 27b

#include "check.hpp"

constexpr int block = 128;
constexpr int most = 256;            // numbers in a row
constexpr int per_lane = most / 32;  // so many of them fit into a lane's registers
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The sum of a warp's 32 values, for each lane.
__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(all_lanes, value, distance);
  }
  return value;
}

// A warp has a row: the numbers from begin[row] to begin[row + 1].
__global__ void scores(const float* x, const int* begin, int rows, float* z) {
  const int row = (blockIdx.x * block + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  // TODO (17 lines): load the row into registers; its mean; the sum of the squares of what is
  // left without the mean; the scores.
}

// The rows of x follow each other: row r has the numbers from begin[r] to begin[r + 1], at most
// 256, or none. z has as many numbers as x. All arrays are in device memory. rows may be 0.
void launch_scores(const float* x, const int* begin, int rows, float* z) {
  if (rows == 0) return;
  scores<<<(rows - 1) / (block / 32) + 1, block>>>(x, begin, rows, z);
  CUDA_CHECK_LAUNCH();
}
