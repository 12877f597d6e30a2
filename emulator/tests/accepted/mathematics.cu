// Mathematics is everybody's.
#include <cmath>
__global__ void compute(float* x) {
  x[0] = std::sqrt(x[1]) + std::abs(x[2]) + std::fabs(x[3]) + sqrtf(x[4]) + std::pow(x[5], 2);
  x[1] = fmaxf(x[0], 1) + max(x[2], x[3]) + expf(x[4]) + isnan(x[5]);
}
int main() {
  return max(1, static_cast<int>(std::sqrt(2.0)));
}
