// Chapter 01: y = A x in global memory, one thread per row.
//
// The most direct matrix-vector product (SGEMV) that a GPU can run: thread `row` walks along row
// `row` of A and adds up A(row, j) x(j). The loop is the one a CPU would run, and so is the layout:
// A is row-major. Watch what that does to the 32 threads of a warp.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson global.cu -o global

#include "course.hpp"

// y = A x. A has m rows and n columns and is row-major: A(i, j) is A[i * n + j].
__global__ void sgemv_global(const float* A, const float* x, float* y, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;  // the last block may have more threads than rows remain

  float sum = 0.0F;
  for (int j = 0; j < n; ++j) {
    // At each j the 32 threads of a warp read 32 rows: addresses 4 n bytes apart.
    sum += A[static_cast<size_t>(row) * n + j] * x[j];
  }
  y[row] = sum;
}

// Blocks of 128 threads, as in the measurement of 2019 that this ladder repeats.
void launch_global(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int block = 128;
  const int grid = (m - 1) / block + 1;
  sgemv_global<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "01_global",
      "y = A x with one thread per row, and A row by row in global memory.");
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  course::Report report(options, course::CeilingKind::read);

  {  // Small whole numbers first: their sums are exact, so a correct kernel gets every bit right.
    course::SgemvOnDevice exact(options, course::Data::exact, course::Layout::row_major);
    launch_global(exact.A, exact.x, exact.y, m, n);
    report.check("global", "exact data", exact.verify());
  }

  course::SgemvOnDevice sgemv(options, options.data, course::Layout::row_major);
  const course::Timing timing =
      TIME_EVENTS(options, sgemv.y.poison(), launch_global(sgemv.A, sgemv.x, sgemv.y, m, n));
  report.check("global", "timed data", sgemv.verify());
  report.add("global", timing, course::sgemv_work(m, n));

  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
