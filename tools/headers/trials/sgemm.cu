// A program as a reader would write it, with nothing of the course but the made header.
#include "sgemm.hpp"

#include "trial.hpp"

int main() try {
  ours::Sgemm sgemm;
  int products = 0;
  for (const auto& [m, n, k] : {Extents{1, 1, 1},
                                {1, 300, 70},
                                {33, 31, 32},
                                {257, 3, 127},
                                {70, 140, 0},
                                {130, 132, 100},
                                {65, 130, 600}}) {
    for (const int gap : {0, 3, 4}) {
      const int lda = k + gap;
      const int ldb = n + gap;
      const int ldc = n + gap;
      const OnDevice A(numbers(m * lda, 1));
      const OnDevice B(numbers(k * ldb, 2));
      OnDevice C(numbers(m * ldc, 3));
      sgemm(m, n, k, 2.0F, A, lda, B, ldb, -3.0F, C, ldc);
      const std::vector<float> result = C.to_host();
      for (int i = 0; i < m * ldc; ++i) {
        float expected = C.on_host[i];
        if (i % ldc < n) {
          float sum = 0.0F;
          for (int p = 0; p < k; ++p) {
            sum += A.on_host[i / ldc * lda + p] * B.on_host[p * ldb + i % ldc];
          }
          expected = 2.0F * sum - 3.0F * expected;
        }
        require(result[i] == expected, "C", m, n, i);
      }
      ++products;
    }
  }
  std::printf("sgemm.hpp: %d products are right\n", products);
} catch (const std::exception& error) {
  return failed(error);
}
