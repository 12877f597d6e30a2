//@stub
//@ // Exercise 05b: a bug hunt. The product A x, but only for the chosen rows.
//@ //
//@ // README.md beside this file says what the code below is meant to do. Find the mistakes and mend
//@ // them. Then:   ./course check 05b
//@solution
// Exercise 05b: A x for the chosen rows. The model solution of the bug hunt.
//
// What was wrong: lanes without a row left at once, and lanes whose row is not chosen stayed away,
// though each holds an element of x that the others need; and the mask of the last step named the
// lanes that hold an element, not those that come to the shuffle, which are all.
//@end

#include "check.hpp"

// y[i] = sum over j of A(i, j) x[j] where chosen[i] is not 0, else y[i] = 0.
// A is m x n, column-major: A(i, j) is A[j * m + i]. x has n elements, chosen and y have m.
// Blocks must consist of whole warps.
__global__ void chosen_rows(const float* A, const float* x, const int* chosen, float* y, int m,
                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  //@stub
  //@ if (i >= m) return;
  //@
  //@ float sum = 0.0F;
  //@ if (chosen[i] != 0) {
  //@   for (int first = 0; first < n; first += 32) {
  //@     const int width = min(32, n - first);  // columns of this step
  //@     const unsigned mask = width == 32 ? 0xFFFFFFFFU : (1U << width) - 1;
  //@     const float x_lane = lane < width ? x[first + lane] : 0.0F;
  //@     for (int j = 0; j < width; ++j) {
  //@       const float x_j = __shfl_sync(mask, x_lane, j);
  //@       sum += A[static_cast<size_t>(first + j) * m + i] * x_j;
  //@     }
  //@   }
  //@ }
  //@ y[i] = sum;
  //@solution
  // All lanes go through the loop, for each holds elements of x; only some of them read A.
  const bool adds = i < m && chosen[i] != 0;
  float sum = 0.0F;
  for (int first = 0; first < n; first += 32) {
    const int width = min(32, n - first);  // columns of this step
    const float x_lane = lane < width ? x[first + lane] : 0.0F;
    for (int j = 0; j < width; ++j) {
      // The mask names the lanes that come, not those with something to hand out: all lanes come.
      const float x_j = __shfl_sync(0xFFFFFFFFU, x_lane, j);
      if (adds) sum += A[static_cast<size_t>(first + j) * m + i] * x_j;
    }
  }
  if (i < m) y[i] = sum;
  //@end
}

// All pointers are to device memory. m may be 0, and so may n: then y is 0.
void launch_chosen_rows(const float* A, const float* x, const int* chosen, float* y, int m, int n) {
  constexpr int block = 128;
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  chosen_rows<<<grid, block>>>(A, x, chosen, y, m, n);
  CUDA_CHECK_LAUNCH();
}
