// A cheat for 00a: computes on the host, and launches an empty kernel.
// expected: 0 points

#include "check.hpp"

__global__ void change_kernel() {}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  if (series == nullptr || changes == nullptr) throw course::Error("no memory");
  change_kernel<<<1, 1>>>();
  CUDA_CHECK_LAUNCH();
  for (int i = 0; i < n - 1; ++i) changes[i] = series[i + 1] - series[i];
}
