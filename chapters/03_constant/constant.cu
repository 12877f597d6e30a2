// Chapter 03: y = A x, one thread per row, A column-major, x in constant memory.
//
// At each j all threads of a warp need the same x(j). Constant memory is made for that: its own
// cache hands one word to the whole warp at once, so x no longer takes a turn in the queue of
// global loads. But it holds only 64 KB: a longer x goes through it in batches.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson constant.cu -o constant

#include "course.hpp"

constexpr int constant_floats = 16384;  // 64 KB
__constant__ float x_constant[constant_floats];

// y = A x. A has m rows and n columns and is column-major: A(i, j) is A[j * m + i].
// One batch: columns first .. first + count - 1; their part of x is in x_constant.
__global__ void sgemv_constant(const float* A, float* y, int m, int first, int count) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;  // the last block may have more threads than rows remain

  float sum = first == 0 ? 0.0F : y[row];  // continue where the previous batch stopped
  for (int j = 0; j < count; ++j) {
    // x_constant[j] is one word for the whole warp; only A comes from global memory.
    sum += A[static_cast<size_t>(first + j) * m + row] * x_constant[j];
  }
  y[row] = sum;
}

// Blocks of 128 threads, as in the measurement of 2019 that this ladder repeats.
// @param batch columns per launch, 1 to constant_floats
void launch_constant(const float* A, const float* x, float* y, int m, int n, int batch) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int block = 128;
  const int grid = (m - 1) / block + 1;
  int first = 0;
  do {  // once even for n = 0, to set y to 0
    const int count = std::min(batch, n - first);
    // Same stream: the copy waits for the previous kernel, which still reads the previous batch.
    CUDA_CHECK(cudaMemcpyToSymbolAsync(x_constant, x + first, count * sizeof(float), 0,
                                       cudaMemcpyDeviceToDevice));
    sgemv_constant<<<grid, block>>>(A, y, m, first, count);
    CUDA_CHECK_LAUNCH();
    first += count;
  } while (first < n);
}

int main(int argc, char** argv) try {
  int small_batch = 1024;
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "03_constant",
      "y = A x with one thread per row, A column by column, and x in constant memory.",
      [&](course::Defaults& defaults) {
        defaults.add("--batch", &small_batch, 1, constant_floats,
                     "columns per launch when batched");
      });
  course::Report report(options, course::CeilingKind::read);
  const auto in_batches_of = [](int batch) {
    return [batch](auto... arguments) { launch_constant(arguments..., batch); };
  };
  // The second in smaller batches than necessary: what does a batch cost?
  course::verify_and_time(options, report, course::Layout::column_major,
                          {{"constant", in_batches_of(constant_floats)},
                           {"constant, batched", in_batches_of(small_batch)}});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
