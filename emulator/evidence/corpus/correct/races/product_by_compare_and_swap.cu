// correct: like race_one_word, but atomicCAS stores only over what was read.
// y + 1 is the product, so that a memory of zeros stands for 1.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void product(const unsigned* x, unsigned* y) {
  const unsigned factor = x[threadIdx.x];
  unsigned seen = atomicAdd(y, 0U);
  while (true) {
    const unsigned before = atomicCAS(y, seen, (seen + 1) * factor - 1);
    if (before == seen) break;
    seen = before;
  }
}

int main() {
  unsigned values[64];
  unsigned result[1];
  for (int i = 0; i < 64; ++i) values[i] = i < 16 ? 2 : 1;
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(result)));
  product<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == (1U << 16) - 1 ? 0 : 1;
}
