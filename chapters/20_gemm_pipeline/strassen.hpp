/// @file
/// One level of Strassen's algorithm: seven products of matrices half as large in each direction,
/// instead of eight, and 18 sums of such matrices.
///
/// It does not multiply faster: it needs 1/8 fewer operations. Its TFLOP/s count those that
/// the definition would need, and so may exceed the GPU's peak. And its sum is different:
/// terms are added that cancel each other, so that small elements of C get the errors of large
/// ones.
#pragma once

#include "best_sgemm.hpp"

namespace ours {

/// C[y][x] = sum of up to 4 quarters, each with its sign (0: left out). All are rows x cols, C with
/// ld, the quarters in matrices of m x n; what is out of bounds there is 0.
struct Quarters {
  const float* from;
  std::int64_t ld;
  int m, n;        // of the whole matrix
  int rows, cols;  // of a quarter
  float sign[2][2];
};

static __global__ void __launch_bounds__(256) add_quarters(const Quarters q, float* to) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= q.cols || y >= q.rows) return;
  float sum = 0.0F;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int row = i * q.rows + y;
      const int col = j * q.cols + x;
      if (q.sign[i][j] != 0.0F && row < q.m && col < q.n) {
        sum += q.sign[i][j] * q.from[row * q.ld + col];
      }
    }
  }
  to[static_cast<std::int64_t>(y) * q.cols + x] = sum;
}

/// C's four quarters from the seven products, in the order of the additions below.
static __global__ void __launch_bounds__(256)
    combine(const float* P, int rows, int cols, float* C, std::int64_t ld, int m, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= cols || y >= rows) return;
  const std::int64_t size = static_cast<std::int64_t>(rows) * cols;
  const float* p = P + static_cast<std::int64_t>(y) * cols + x;
  const float M[7] = {p[0],        p[size],     p[2 * size], p[3 * size],
                      p[4 * size], p[5 * size], p[6 * size]};
  const float quarter[2][2] = {{M[0] + M[3] - M[4] + M[6], M[2] + M[4]},
                               {M[1] + M[3], M[0] - M[1] + M[2] + M[5]}};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int row = i * rows + y;
      const int col = j * cols + x;
      if (row < m && col < n) C[row * ld + col] = quarter[i][j];
    }
  }
}

/// C = A B by one level of Strassen's algorithm.
class Strassen {
 public:
  explicit Strassen(Sgemm& sgemm) : sgemm_(sgemm) {}

  void operator()(int m, int n, int k, const float* A, std::int64_t lda, const float* B,
                  std::int64_t ldb, float* C, std::int64_t ldc) {
    if (m == 0 || n == 0) return;
    if (k == 0) return sgemm_(m, n, k, 1.0F, A, lda, B, ldb, 0.0F, C, ldc);
    // Quarters with rows of at least 4 floats: then all their rows are aligned to 16 bytes.
    const int rows = (m + 1) / 2;
    const int cols = ((n + 1) / 2 + 3) / 4 * 4;
    const int inner = ((k + 1) / 2 + 3) / 4 * 4;
    const std::int64_t a_size = static_cast<std::int64_t>(rows) * inner;
    const std::int64_t b_size = static_cast<std::int64_t>(inner) * cols;
    const std::int64_t c_size = static_cast<std::int64_t>(rows) * cols;
    float* S = room_.at_least(static_cast<std::size_t>((a_size + 3) / 4 * 4 + b_size + 7 * c_size));
    float* T = S + (a_size + 3) / 4 * 4;
    float* P = T + b_size;
    for (int i = 0; i < 7; ++i) {
      const auto& a = of_A[i];
      const auto& b = of_B[i];
      add({A, lda, m, k, rows, inner, {{a[0], a[1]}, {a[2], a[3]}}}, S);
      add({B, ldb, k, n, inner, cols, {{b[0], b[1]}, {b[2], b[3]}}}, T);
      sgemm_(rows, cols, inner, 1.0F, S, inner, T, cols, 0.0F, P + i * c_size, cols);
    }
    combine<<<grid(rows, cols), dim3(32, 8)>>>(P, rows, cols, C, ldc, m, n);
    CUDA_CHECK_LAUNCH();
  }

 private:
  // The factors of A's and B's quarters (11, 12, 21, 22) in each of the seven products.
  static constexpr float of_A[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
                                       {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
  static constexpr float of_B[7][4] = {{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
                                       {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};

  static dim3 grid(int rows, int cols) { return {(cols - 1) / 32U + 1, (rows - 1) / 8U + 1}; }

  static void add(const Quarters& q, float* to) {
    add_quarters<<<grid(q.rows, q.cols), dim3(32, 8)>>>(q, to);
    CUDA_CHECK_LAUNCH();
  }

  Sgemm& sgemm_;
  course::Scratch<float> room_;
};

}  // namespace ours
