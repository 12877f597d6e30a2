// A program as a reader would write it, with nothing of the course but the made header.
#include "gemm_bf16.hpp"

#include "trial.hpp"

int main() try {
  hopper::Gemm gemm;
  int products = 0;
  for (const auto& [m, n, k] : {Extents{1, 1, 1}, {33, 31, 32}, {130, 136, 72}, {257, 3, 127}}) {
    const OnDevice A(numbers(m * k, 1));
    const OnDevice B(numbers(k * n, 2));
    const Device<hopper::Bf16> short_A(shortened(A.on_host));
    const Device<hopper::Bf16> short_B(shortened(B.on_host));
    Device<hopper::Bf16> C(shortened(numbers(m * n, 3)));
    gemm({short_A, short_B, C, m, n, k, k, n, n});
    const std::vector<hopper::Bf16> result = C.to_host();
    for (int i = 0; i < m * n; ++i) {
      float sum = 0.0F;
      for (int p = 0; p < k; ++p) sum += A.on_host[i / n * k + p] * B.on_host[p * n + i % n];
      require(__bfloat162float(result[i]) == __bfloat162float(__float2bfloat16(sum)), "C", m, n, i);
    }
    ++products;
  }
  std::printf("gemm_bf16.hpp: %d products are right\n", products);
} catch (const std::exception& error) {
  return failed(error);
}
