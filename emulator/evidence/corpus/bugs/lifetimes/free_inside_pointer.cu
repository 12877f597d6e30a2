// bug: invalid-free
// where: const cudaError_t error = cudaFree(x)
// The pointer was moved on while the array was filled; only its first value can be freed.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

int main() {
  float* x = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(float)));
  float* const start = x;
  for (int quarter = 0; quarter < 4; ++quarter) {
    CHECK(cudaMemset(x, quarter, 16 * sizeof(float)));
    if (quarter < 3) x += 16;
  }
  const cudaError_t error = cudaFree(x);
  CHECK(cudaFree(start));
  return error == cudaSuccess ? 0 : 1;
}
