// What exercise 02b is compared with on a GPU: the layout and the threads as they were given.

#include "check.hpp"

__global__ void fly_in_structures(float* particles, float t, int n) {
  const int p = threadIdx.x * gridDim.x + blockIdx.x;
  if (p >= n) return;
  float* const particle = particles + static_cast<size_t>(p) * 8;
  for (int axis = 0; axis < 3; ++axis) particle[axis] += t * particle[3 + axis];
}

void launch_naive(float* particles, float t, int n) {
  fly_in_structures<<<(n + 127) / 128, 128>>>(particles, t, n);
  CUDA_CHECK_LAUNCH();
}
