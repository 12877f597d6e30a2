// Chapter 04: y = A x, one thread per row, A column-major, x staged through shared memory.
//
// Every thread of a block needs all of x. So the block reads x together, tile by tile, into shared
// memory, where a multiprocessor keeps what its threads share: each element comes from global
// memory once per block instead of once per warp. No limit of 64 KB, so no batches.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson shared.cu -o shared

#include "course.hpp"

constexpr int tile = 128;  // columns per tile

// y = A x. A has m rows and n columns and is column-major: A(i, j) is A[j * m + i].
__global__ void sgemv_shared(const float* A, const float* x, float* y, int m, int n) {
  __shared__ float x_tile[tile];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  // No early return: a thread without a row still helps to load the tiles.

  float sum = 0.0F;
  const auto add_tile = [&](int first, int width) {
    for (int j = threadIdx.x; j < width; j += blockDim.x) x_tile[j] = x[first + j];
    __syncthreads();  // the tile is complete before any thread reads it
    if (row < m) {
      for (int j = 0; j < width; ++j) {
        sum += A[static_cast<size_t>(first + j) * m + row] * x_tile[j];
      }
    }
    __syncthreads();  // all threads have read it before any overwrites it
  };

  // The compiler knows the width of whole tiles and unrolls. The last tile is ragged.
  int first = 0;
  for (; n - first >= tile; first += tile) add_tile(first, tile);
  if (first < n) add_tile(first, n - first);
  if (row < m) y[row] = sum;
}

// Blocks of 128 threads in the measurement of 2019 that this ladder repeats; any size will do.
void launch_shared(const float* A, const float* x, float* y, int m, int n, int block) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int grid = (m - 1) / block + 1;
  sgemv_shared<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

int main(int argc, char** argv) try {
  int block = 128;
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "04_shared",
      "y = A x with one thread per row, A column by column, and x staged through shared memory.",
      [&](course::Defaults& defaults) {
        defaults.add("--block", &block, 1, 1024, "threads in a block");
      });
  course::Report report(options, course::CeilingKind::read);
  course::verify_and_time(
      options, report, course::Layout::column_major,
      {{"shared", [&](auto... arguments) { launch_shared(arguments..., block); }}});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
