// Chapter 07: y = A x with NVIDIA's library, from either layout, and our best against it.
//
// cuBLAS comes from Fortran and knows one layout: column-major. A row-major m x n matrix is, byte
// for byte, a column-major n x m matrix: its transpose. So row-major A goes in as an n x m matrix
// with leading dimension n, and the library is asked to transpose it back.
//
// A library has a kernel for each shape, and a rule that chooses. Ours are in ours.hpp.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common cublas.cu -o cublas -lcublas

#include "course.hpp"
#include "cublas.hpp"
#include "ours.hpp"

const float one = 1.0F;
const float zero = 0.0F;

// The library takes no leading dimension of 0, so an empty sum is ours to write.
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

// y = A x with A of m x n, column-major: as the library would have it.
void launch_column_major(cublasHandle_t handle, const float* A, const float* x, float* y, int m,
                         int n) {
  if (is_empty(y, m, n)) return;
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, A, m, x, 1, &zero, y, 1));
}

// The same from row-major A, by way of a column-major copy: copy = 1 A^T + 0 copy, where A is again
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
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  course::Report report(options, course::CeilingKind::read);

  cublasHandle_t handle = nullptr;  // the library's state: made once, handed to every call
  CUDA_CHECK(cublasCreate(&handle));
  ours::Sgemv ours;  // so is this

  const auto measure = [&](const std::string& name, course::Layout layout, auto launch) {
    {  // Small whole numbers first: their sums are exact, so a right result has every bit right.
      course::SgemvOnDevice exact(options, course::Data::exact, layout);
      launch(exact);
      report.check(name, "exact data", exact.verify());
    }
    course::SgemvOnDevice sgemv(options, options.data, layout);
    const course::Timing timing = TIME_EVENTS(options, sgemv.y.poison(), launch(sgemv));
    report.check(name, "timed data", sgemv.verify());
    report.add(name, timing, course::sgemv_work(m, n));
  };
  measure("cuBLAS row-major", course::Layout::row_major,
          [&](course::SgemvOnDevice& p) { launch_row_major(handle, p.A, p.x, p.y, m, n); });
  measure("cuBLAS column-major", course::Layout::column_major,
          [&](course::SgemvOnDevice& p) { launch_column_major(handle, p.A, p.x, p.y, m, n); });
  measure("ours row-major", course::Layout::row_major,
          [&](course::SgemvOnDevice& p) { ours.row_major(p.A, p.x, p.y, m, n); });
  measure("ours column-major", course::Layout::column_major,
          [&](course::SgemvOnDevice& p) { ours.column_major(p.A, p.x, p.y, m, n); });
  course::DeviceArray<float> copy(options.rows * options.cols);
  measure("transposed first", course::Layout::row_major, [&](course::SgemvOnDevice& p) {
    launch_transposed_first(handle, p.A, copy, p.x, p.y, m, n);
  });

  CUDA_CHECK(cublasDestroy(handle));
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
