// Chapter 05: y = A x, one thread per row, A column-major, x passed around the warp in registers.
//
// A warp needs no memory to share what its lanes hold: __shfl_sync hands every lane one lane's
// register. So each lane loads one element of x, the warp 32 at once, and at step j all lanes get
// lane j's element. No shared memory, and no barrier: a warp waits only for its own lanes.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson shuffle.cu -o shuffle

#include "course.hpp"

constexpr int tile = 32;                     // columns per tile: one for each lane of a warp
constexpr unsigned all_lanes = 0xFFFFFFFFU;  // a bit for each lane that takes part

// y = A x. A has m rows and n columns and is column-major: A(i, j) is A[j * m + i].
// Blocks must consist of whole warps.
__global__ void sgemv_shuffle(const float* A, const float* x, float* y, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  // No early return: a lane without a row holds an element of x that the others need.

  float sum = 0.0F;
  const auto add_tile = [&](int first, int width) {
    const float x_lane = lane < width ? x[first + lane] : 0.0F;
    float a[tile] = {};  // the row's part of the tile: first all loads, then all uses
    if (row < m) {       // all lanes shuffle, but only those with a row read A
      for (int j = 0; j < width; ++j) a[j] = A[static_cast<size_t>(first + j) * m + row];
    }
    for (int j = 0; j < width; ++j) sum += a[j] * __shfl_sync(all_lanes, x_lane, j);
  };

  // The compiler knows the width of whole tiles and unrolls. The last tile is ragged.
  int first = 0;
  for (; n - first >= tile; first += tile) add_tile(first, tile);
  if (first < n) add_tile(first, n - first);
  if (row < m) y[row] = sum;
}

// Blocks of 128 threads, as in the measurement of 2019 that this ladder repeats.
void launch_shuffle(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int block = 128;
  const int grid = (m - 1) / block + 1;
  sgemv_shuffle<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "05_shuffle",
      "y = A x with one thread per row, A column by column, and x passed around the warp.");
  course::Report report(options, course::CeilingKind::read);
  course::verify_and_time(options, report, course::Layout::column_major,
                          {{"shuffle", launch_shuffle}});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
