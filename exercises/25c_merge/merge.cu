// Exercise 25c: two sorted arrays become one, each thread with equally much work.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 25c

#include "check.hpp"

constexpr int block = 128;
constexpr int share = 8;  // elements of the result that a thread makes

// A key and where it comes from. Only keys are compared.
struct Item {
  int key;
  int from;
};

// How many of the first `diagonal` elements of the merged result come from a (m elements, sorted),
// the others coming from b (n elements, sorted). Of equal keys those of a come first.
// 0 <= diagonal <= m + n.
__device__ int taken_from_a(const Item* a, int m, const Item* b, int n, int diagonal) {
  // TODO (10 lines): at least how many, and at most? Halve what is between.
  return 0;
}

// Each thread makes `share` elements of the result.
__global__ void merge(const Item* a, int m, const Item* b, int n, Item* merged) {
  const int first = (blockIdx.x * block + threadIdx.x) * share;
  const int end = min(first + share, m + n);
  if (first >= end) return;
  // TODO (6 lines): where in a and in b does this thread begin? Then the smaller of two,
  // `share` times, until one of the arrays has no more.
}

// a, b and merged have m, n and m + n elements and are in device memory. m and n may be 0.
void launch_merge(const Item* a, int m, const Item* b, int n, Item* merged) {
  if (m + n == 0) return;
  const int threads = (m + n - 1) / share + 1;
  merge<<<(threads - 1) / block + 1, block>>>(a, m, b, n, merged);
  CUDA_CHECK_LAUNCH();
}
