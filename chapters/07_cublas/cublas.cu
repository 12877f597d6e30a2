// Chapter 07: y = A x with NVIDIA's library, for both layouts, compared with our best.
//
// cuBLAS comes from Fortran and knows one layout: column-major. A row-major m x n matrix is, byte
// for byte, a column-major n x m matrix: its transpose. So row-major A goes in as an n x m matrix
// with leading dimension n, and the library is asked to transpose it back.
//
// A library has a kernel for each shape, and a rule that chooses. Ours are in best_sgemv.hpp.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson cublas.cu -o cublas
// -lcublas

#include "best_sgemv.hpp"
#include "course.hpp"
#include "cublas.hpp"

const float one = 1.0F;
const float zero = 0.0F;

// The library does not accept a leading dimension of 0, so we write an empty sum ourselves.
bool is_empty(float* y, int m, int n) {
  if (m != 0 && n != 0) return false;
  CUDA_CHECK(cudaMemset(y, 0, m * sizeof(float)));
  return true;
}

// y = A x with A of m x n, row-major. What the library sees is an n x m matrix.
void launch_row_major(cublasHandle_t handle, const float* A, const float* x, float* y, int m,
                      int n) {
  if (is_empty(y, m, n)) return;
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_T, n, m, &one, A, n, x, 1, &zero, y, 1));
}

// y = A x with A of m x n, column-major: the library's own layout.
void launch_column_major(cublasHandle_t handle, const float* A, const float* x, float* y, int m,
                         int n) {
  if (is_empty(y, m, n)) return;
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, A, m, x, 1, &zero, y, 1));
}

// The same for row-major A, through a column-major copy: copy = 1 A^T + 0 copy, where A is again
// the n x m matrix that the library sees.
void launch_transposed_first(cublasHandle_t handle, const float* A, float* copy, const float* x,
                             float* y, int m, int n) {
  if (is_empty(y, m, n)) return;
  CUDA_CHECK(
      cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, A, n, &zero, copy, m, copy, m));
  launch_column_major(handle, copy, x, y, m, n);
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "07_cublas", "y = A x with cuBLAS and with our best, from both layouts.");
  course::require_sgemv_memory(options, 1);  // the column-major copy
  course::Report report(options, course::CeilingKind::read);

  cublasHandle_t handle = nullptr;  // the library's state: made once, handed to every call
  CUDA_CHECK(cublasCreate(&handle));
  ours::Sgemv ours;  // so is this

  course::DeviceArray<float> copy(options.rows * options.cols);

  const auto measure = [&](const char* name, course::Layout layout, course::SgemvLauncher launch) {
    course::verify_and_time(options, report, layout, {{name, std::move(launch)}});
  };
  using course::Layout;
  measure("cuBLAS row-major", Layout::row_major,
          [&](auto... arguments) { launch_row_major(handle, arguments...); });
  measure("cuBLAS column-major", Layout::column_major,
          [&](auto... arguments) { launch_column_major(handle, arguments...); });
  measure("ours row-major", Layout::row_major,
          [&](auto... arguments) { ours.row_major(arguments...); });
  measure("ours column-major", Layout::column_major,
          [&](auto... arguments) { ours.column_major(arguments...); });
  measure("transposed first", Layout::row_major,
          [&](const float* A, const float* x, float* y, int m, int n) {
            launch_transposed_first(handle, A, copy, x, y, m, n);
          });

  CUDA_CHECK(cublasDestroy(handle));
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
