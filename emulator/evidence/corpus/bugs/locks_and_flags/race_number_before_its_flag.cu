// bug: race
// where: numbers[b]
// mend: __threadfence
// A block tells the next how many keys it has, by a number and a flag in two words. Without a fence
// the flag may be seen before the number.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void look_back(const unsigned* x, volatile unsigned* words) {
  volatile unsigned* const flags = words;
  unsigned* const numbers = const_cast<unsigned*>(words) + gridDim.x;
  const unsigned b = blockIdx.x;
  unsigned before = 0;
  if (b > 0) {
    while (flags[b - 1] == 0) {
    }
    before = numbers[b - 1];
  }
  numbers[b] = before + x[b];
  flags[b] = 1;
}

int main() {
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 8 * sizeof(unsigned)));
  CHECK(cudaMalloc(&y, 16 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, 8 * sizeof(unsigned)));
  CHECK(cudaMemset(y, 0, 16 * sizeof(unsigned)));
  look_back<<<8, 1>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
