// A program as a reader would write it, with nothing of the course but the made header.
#include "sgemv.hpp"

#include <utility>

#include "trial.hpp"

int main() try {
  ours::Sgemv sgemv;
  int products = 0;
  for (const auto& [m, n] :
       {std::pair{1, 1}, {1, 300}, {300, 1}, {33, 31}, {127, 257}, {64, 128}}) {
    const OnDevice A(numbers(m * n, 1));
    const OnDevice x(numbers(n, 2));
    OnDevice y(numbers(m, 3));
    for (const bool by_rows : {true, false}) {
      by_rows ? sgemv.row_major(A, x, y, m, n) : sgemv.column_major(A, x, y, m, n);
      const std::vector<float> result = y.to_host();
      for (int i = 0; i < m; ++i) {
        float sum = 0.0F;
        for (int j = 0; j < n; ++j) {
          sum += A.on_host[by_rows ? i * n + j : j * m + i] * x.on_host[j];
        }
        require(result[i] == sum, "y", m, n, i);
      }
      ++products;
    }
  }
  std::printf("sgemv.hpp: %d products are right\n", products);
} catch (const std::exception& error) {
  return failed(error);
}
