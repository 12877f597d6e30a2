// Exercise 03a: the values of a long polynomial at many points, its coefficients in constant
// memory.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 03a

#include <algorithm>

#include "check.hpp"

// TODO (2 lines): an array in constant memory, as large as it can be: 64 KB.

// y(i) = (...((v x(i) + c(count - 1)) x(i) + c(count - 2)) x(i) + ...) x(i) + c(0), for n points.
// One batch: its `count` coefficients are in constant memory. v is 0 if it is the `first` batch,
// else what the batches before have left in y(i).
__global__ void polynomial(const float* x, float* y, int n, int count, bool first) {
  // TODO (8 lines): Horner's rule at the point of this thread, if it has one.
}

// y(i) = sum over k of c(k) x(i)^k. c is in the HOST's memory, count elements; x and y are in
// device memory, n elements each. n may be 0, and so may count: then y is 0.
void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  // TODO (11 lines): batch by batch, beginning with the highest coefficients: copy them to
  // constant memory, and launch polynomial() with enough blocks of 128 threads. Check both.
}
