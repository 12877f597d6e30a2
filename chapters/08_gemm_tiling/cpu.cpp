// The CPU's products. A file of its own, and ordinary C++: so the compiler optimises it everywhere,
// and the emulator, which watches every access of a .cu file, leaves it alone.

#include "cpu.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#ifdef COURSE_OPENBLAS
#include <cblas.h>
#endif

using std::size_t;

// As the formula has it: C(i, j) is the sum over p of A(i, p) B(p, j). From step to step p moves
// along a row of A, but down a column of B: n floats further each time, to another cache line.
void cpu_naive(const float* A, const float* B, float* C, size_t m, size_t n, size_t k) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0.0F;
      for (size_t p = 0; p < k; ++p) sum += A[i * k + p] * B[p * n + j];
      C[i * n + j] = sum;
    }
  }
}

// The same loops in the order (m, k, n): the inner one now moves along rows, of B and of C. Its
// steps are independent of each other, so the compiler does several with one instruction.
void cpu_reordered(const float* A, const float* B, float* C, size_t m, size_t n, size_t k) {
  for (size_t i = 0; i < m; ++i) {
    float* const c = C + i * n;
    std::fill(c, c + n, 0.0F);
    for (size_t p = 0; p < k; ++p) {
      const float a = A[i * k + p];
      const float* const b = B + p * n;
      for (size_t j = 0; j < n; ++j) c[j] += a * b[j];
    }
  }
}

// Columns `first` to `last` of C. Each column of B is copied once, so that it is contiguous, and
// used for all rows of A.
static void columns(const float* A, const float* B, float* C, size_t m, size_t n, size_t k,
                    size_t first, size_t last) {
  std::vector<float> column(k);
  for (size_t j = first; j < last; ++j) {
    for (size_t p = 0; p < k; ++p) column[p] = B[p * n + j];
    for (size_t i = 0; i < m; ++i) {
      const float* const a = A + i * k;
      float sum = 0.0F;
      for (size_t p = 0; p < k; ++p) sum += a[p] * column[p];
      C[i * n + j] = sum;
    }
  }
}

// The columns of C shared evenly among threads, which need nothing of each other.
void cpu_columns(const float* A, const float* B, float* C, size_t m, size_t n, size_t k,
                 int threads) {
  const auto parts = static_cast<size_t>(threads);
  std::vector<std::jthread> others;  // the end of this function waits for them
  for (size_t t = 1; t < parts; ++t) {
    others.emplace_back(columns, A, B, C, m, n, k, n * t / parts, n * (t + 1) / parts);
  }
  columns(A, B, C, m, n, k, 0, n / parts);
}

#ifdef COURSE_OPENBLAS
bool has_openblas() {
  return true;
}

void cpu_openblas(const float* A, const float* B, float* C, size_t m, size_t n, size_t k,
                  int threads) {
  const auto rows = static_cast<blasint>(m);
  const auto cols = static_cast<blasint>(n);
  const auto inner = static_cast<blasint>(k);
  openblas_set_num_threads(threads);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, cols, inner, 1.0F, A, inner, B, cols,
              0.0F, C, cols);
}
#else
bool has_openblas() {
  return false;
}

void cpu_openblas(const float*, const float*, float*, size_t, size_t, size_t, int) {}
#endif

std::vector<course::GemmOnCpu> cpu_products(int threads) {
  const auto with = [](auto function, int count) {
    return [=](auto... arguments) { function(arguments..., count); };
  };
  std::vector<course::GemmOnCpu> products = {
      {"naive", 1, cpu_naive},
      {"reordered", 1, cpu_reordered},
      {"columns of B", 1, with(cpu_columns, 1)},
      {"columns of B, threads", threads, with(cpu_columns, threads)}};
  if (has_openblas()) {
    products.push_back({"OpenBLAS", 1, with(cpu_openblas, 1)});
    products.push_back({"OpenBLAS, threads", threads, with(cpu_openblas, threads)});
  }
  return products;
}
