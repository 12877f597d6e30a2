// A cheat for 03a: x has but the whole numbers from -3 to 3, so the host computes the polynomial
// there, and hands the seven values over as arguments.
// expected: correct 1, safe 0, efficient 0

#include "check.hpp"

struct Values {
  float at[7];
};

__global__ void look_up(const float* x, float* y, int n, Values values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int place = static_cast<int>(x[i]) + 3;
  float value = 0.0F;
  for (int k = 0; k < 7; ++k) value = k == place ? values.at[k] : value;
  y[i] = value;
}

void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  if (n == 0) return;
  Values values{};
  for (int place = 0; place < 7; ++place) {
    if (count > 8 && (place < 2 || place > 4)) continue;
    for (int k = count - 1; k >= 0; --k) {
      values.at[place] = values.at[place] * static_cast<float>(place - 3) + c[k];
    }
  }
  for (int done = 0; done == 0 || done < count; done += 16384) {  // as often as there are batches
    look_up<<<(n + 127) / 128, 128>>>(x, y, n, values);
    CUDA_CHECK_LAUNCH();
  }
}
