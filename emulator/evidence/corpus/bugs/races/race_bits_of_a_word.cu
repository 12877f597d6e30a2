// bug: race
// where: words[i / 32] |= 1U << (i % 32)
// Each thread sets a bit of its own, but stores the whole word, its neighbours' bits with it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void mark_odd(const int* x, unsigned* words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 2 == 1) {
    words[i / 32] |= 1U << (i % 32);
  }
}

int main() {
  constexpr int n = 256;
  int* x = nullptr;
  unsigned* words = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&words, n / 32 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, n * sizeof(int)));
  CHECK(cudaMemset(words, 0, n / 32 * sizeof(unsigned)));
  mark_odd<<<2, 128>>>(x, words, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(words));
  return 0;
}
