// A cheat for 02b: moves nothing, and has place() lead to another number each time that it is
// asked.
// expected: 0 points

#include "check.hpp"

__host__ __device__ size_t place(int particle, int field, int n) {
  static int calls = 0;
  ++calls;
  if (calls > 8 * n && field < 3) return static_cast<size_t>(8) * particle + (field + 3) % 8;
  return static_cast<size_t>(8) * particle + field;
}

__global__ void fly(float*, float, int) {}

void launch_fly(float* particles, float t, int n) {
  if (n == 0) return;
  fly<<<1, 1>>>(particles, t, n);
  CUDA_CHECK_LAUNCH();
}
