// A cheat for 25c: halves thirteen times, which is enough for the sizes in check.cpp.
// expected: correct 3, safe 1, efficient 2

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
  int least = max(0, diagonal - n), most = min(diagonal, m);
  for (int step = 0; step < 13 && least < most; ++step) {
    const int middle = (least + most) / 2;
    if (a[middle].key <= b[diagonal - 1 - middle].key) {
      least = middle + 1;  // a[middle] comes before an element that is among the first
    } else {
      most = middle;
    }
  }
  return least;
}

// Each thread makes `share` elements of the result.
__global__ void merge(const Item* a, int m, const Item* b, int n, Item* merged) {
  const int first = (blockIdx.x * block + threadIdx.x) * share;
  const int end = min(first + share, m + n);
  if (first >= end) return;
  int i = taken_from_a(a, m, b, n, first);
  int j = first - i;
  for (int k = first; k < end; ++k) {
    const bool from_a = j == n || (i < m && a[i].key <= b[j].key);
    merged[k] = from_a ? a[i++] : b[j++];
  }
}

// a, b and merged have m, n and m + n elements and are in device memory. m and n may be 0.
void launch_merge(const Item* a, int m, const Item* b, int n, Item* merged) {
  if (m + n == 0) return;
  const int threads = (m + n - 1) / share + 1;
  merge<<<(threads - 1) / block + 1, block>>>(a, m, b, n, merged);
  CUDA_CHECK_LAUNCH();
}
