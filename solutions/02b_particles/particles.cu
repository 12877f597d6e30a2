//@stub
//@ // Exercise 02b: a bug hunt. Particles fly on, one thread per particle.
//@ //
//@ // README.md beside this file says what the code is meant to do, and what shows of its mistakes.
//@ // Then:   ./course check 02b
//@solution
// Exercise 02b: a bug hunt. Particles fly on, one thread per particle. The model solution.
//
// It was wrong in three places: the layout kept the numbers of one particle together instead of
// those that a warp reads in one step; neighbouring threads took particles far apart; and the
// thread just past the last particle was let through.
//@end

#include "check.hpp"

// The eight numbers of a particle: its place, its velocity, its mass and its charge.
enum Field { X, Y, Z, VX, VY, VZ, MASS, CHARGE, FIELDS };

// Where the number `field` of a particle is in an array of FIELDS * n floats. All agree on this
// function: the kernel, and the host that fills the array and reads it.
__host__ __device__ size_t place(int particle, int field, int n) {
  //@stub
  //@ return static_cast<size_t>(particle) * FIELDS + field;
  //@solution
  // All X, then all Y, and so on: particle and particle + 1 are neighbours in every field.
  return static_cast<size_t>(field) * n + particle;
  //@end
}

// Moves each of n particles for a time t: (x, y, z) += t * (vx, vy, vz). All else stays as it is.
__global__ void fly(float* particles, float t, int n) {
  //@stub
  //@ const int p = threadIdx.x * gridDim.x + blockIdx.x;
  //@ if (p > n) return;
  //@solution
  const int p = blockIdx.x * blockDim.x + threadIdx.x;  // lane and lane + 1: neighbours
  if (p >= n) return;  // particle n is none: its "X" would be the Y of particle 0
  //@end
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
