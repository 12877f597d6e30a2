// Chapter 02: y = A x in global memory, one thread per row, A column-major.
//
// The kernel of chapter 01 with one change: A is now column-major. Element (row, j) is next to
// element (row + 1, j) in memory, so at each j the 32 threads of a warp read 32 neighbouring
// floats: one piece of 128 bytes instead of 32 pieces.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson coalesced.cu -o coalesced

#include "course.hpp"

// y = A x. A has m rows and n columns and is column-major: A(i, j) is A[j * m + i].
__global__ void sgemv_coalesced(const float* A, const float* x, float* y, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;  // the last block may have more threads than rows remain

  float sum = 0.0F;
  for (int j = 0; j < n; ++j) {
    // At each j the 32 threads of a warp read 32 neighbours: addresses 4 bytes apart.
    sum += A[static_cast<size_t>(j) * m + row] * x[j];
  }
  y[row] = sum;
}

// Blocks of 128 threads, as in the measurement of 2019 that this ladder repeats.
void launch_coalesced(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int block = 128;
  const int grid = (m - 1) / block + 1;
  sgemv_coalesced<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "02_coalesced",
      "y = A x with one thread per row, and A column by column in global memory.");
  course::Report report(options, course::CeilingKind::read);
  course::verify_and_time(options, report, course::Layout::column_major,
                          {{"coalesced", launch_coalesced}});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
