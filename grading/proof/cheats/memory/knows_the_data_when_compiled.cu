// A cheat for 01a: has the compiler compute the results for the data of the checks.
// expected: 0 points

#include "check.hpp"

// The generator of the course's exact data, and the residual for one column, as constants.
constexpr unsigned long long mix(unsigned long long z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}
constexpr float value(unsigned long long seed, unsigned long long index, int limit) {
  const unsigned long long bits = mix(mix(seed) + (index + 1) * 0x9E3779B97F4A7C15U);
  const int pick = static_cast<int>((bits >> 32) * static_cast<unsigned>(2 * limit) >> 32) - limit;
  return static_cast<float>(pick + (pick >= 0));
}
struct Results {
  float value[1009];
};
constexpr Results make_results() {
  Results results{};
  for (unsigned long long i = 0; i < 1009; ++i) {
    results.value[i] = value(3, i, 15) - value(1, i << 32, 15) * value(2, 0, 15);
  }
  return results;
}
constexpr Results column = make_results();

__global__ void residual(Results results, float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = results.value[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0 || m > 1009) return;
  residual<<<(m + 127) / 128, 128>>>(column, r, m);
  CUDA_CHECK_LAUNCH();
}
