// bug: out-of-bounds
// where: b[diagonal
// Where a diagonal crosses the path of a merge: the search compares with the element of b that
// comes after the last one that was taken, and at its end there is none.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void splits(const unsigned* ab, unsigned* from_a, int m, int n) {
  const unsigned *a = ab, *b = ab + m;
  const int diagonal = threadIdx.x * 16;
  int least = max(0, diagonal - n), most = min(diagonal, m);
  while (least < most) {
    const int middle = (least + most) / 2;
    if (a[middle] <= b[diagonal - middle]) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  from_a[threadIdx.x] = least;
}

int main() {
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(unsigned)));
  CHECK(cudaMalloc(&y, 9 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, 128 * sizeof(unsigned)));
  CHECK(cudaMemset(y, 0, 9 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 2, 64 * sizeof(unsigned)));  // all of a after all of b
  splits<<<1, 9>>>(x, y, 64, 64);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
