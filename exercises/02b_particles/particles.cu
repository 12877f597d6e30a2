// Exercise 02b: a bug hunt. Particles fly on, one thread per particle.
//
// README.md beside this file says what the code is meant to do, and what shows of its mistakes.
// Then:   ./course check 02b

#include "check.hpp"

// The eight numbers of a particle: its place, its velocity, its mass and its charge.
enum Field { X, Y, Z, VX, VY, VZ, MASS, CHARGE, FIELDS };

// Where the number `field` of a particle is in an array of FIELDS * n floats. All agree on this
// function: the kernel, and the host that fills the array and reads it.
__host__ __device__ size_t place(int particle, int field, int n) {
  return static_cast<size_t>(particle) * FIELDS + field;
}

// Moves each of n particles for a time t: (x, y, z) += t * (vx, vy, vz). All else stays as it is.
__global__ void fly(float* particles, float t, int n) {
  const int p = threadIdx.x * gridDim.x + blockIdx.x;
  if (p > n) return;
  for (int axis = 0; axis < 3; ++axis) {
    particles[place(p, X + axis, n)] += t * particles[place(p, VX + axis, n)];
  }
}

// particles is device memory, FIELDS * n floats. n may be 0.
void launch_fly(float* particles, float t, int n) {
  constexpr int block = 128;
  if (n == 0) return;  // a grid of no blocks is an error
  const int grid = (n + block - 1) / block;
  fly<<<grid, block>>>(particles, t, n);
  CUDA_CHECK_LAUNCH();
}
