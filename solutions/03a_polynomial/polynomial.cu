//@stub
//@ // Exercise 03a: the values of a long polynomial at many points, its coefficients in constant
//@ // memory.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 03a
//@solution
// Exercise 03a: the values of a long polynomial at many points. The model solution.
//
// All threads want the same coefficient at the same time: one word of constant memory for a whole
// warp. Horner's rule begins with the highest coefficient, so the batches come from the end of the
// array, and a batch goes on with the value that the one before has left in y.
//@end

#include <algorithm>

#include "check.hpp"

//@stub
//@ // TODO ({lines} lines): an array in constant memory, as large as it can be: 64 KB.
//@solution
constexpr int most = 16384;  // 64 KB of floats
__constant__ float c_constant[most];
//@end

// y(i) = (...((v x(i) + c(count - 1)) x(i) + c(count - 2)) x(i) + ...) x(i) + c(0), for n points.
// One batch: its `count` coefficients are in constant memory. v is 0 if it is the `first` batch,
// else what the batches before have left in y(i).
__global__ void polynomial(const float* x, float* y, int n, int count, bool first) {
  //@stub
  //@ // TODO ({lines} lines): Horner's rule at the point of this thread, if it has one.
  //@solution
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block may reach beyond the last point
  const float x_i = x[i];
  float value = first ? 0.0F : y[i];
  for (int k = count - 1; k >= 0; --k) {
    value = value * x_i + c_constant[k];  // the same k for all lanes: one word serves the warp
  }
  y[i] = value;
  //@end
}

// y(i) = sum over k of c(k) x(i)^k. c is in the HOST's memory, count elements; x and y are in
// device memory, n elements each. n may be 0, and so may count: then y is 0.
void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  //@stub
  //@ // TODO ({lines} lines): batch by batch, beginning with the highest coefficients: copy them to
  //@ // constant memory, and launch polynomial() with enough blocks of 128 threads. Check both.
  //@solution
  if (n == 0) return;  // a grid of no blocks is an error
  constexpr int block = 128;
  const int grid = (n + block - 1) / block;
  int end = count;  // the coefficients from `end` on are done
  do {              // once even for count = 0, to set y to 0
    const int begin = std::max(0, end - most);
    // The kernel before still reads the last batch: the copy waits for it, being in its stream.
    CUDA_CHECK(cudaMemcpyToSymbol(c_constant, c + begin, (end - begin) * sizeof(float)));
    polynomial<<<grid, block>>>(x, y, n, end - begin, end == count);
    CUDA_CHECK_LAUNCH();
    end = begin;
  } while (end > 0);
  //@end
}
