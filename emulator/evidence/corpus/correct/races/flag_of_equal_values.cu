// correct: like race_one_word, but all writers write the same value.
// (That works by luck, so it is worth a warning: an atomic says what is meant.)
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void find(const int* x, int wanted, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] == wanted) *found = 1;
}

int main() {
  constexpr int n = 512;
  int *x = nullptr, *found = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&found, sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  CHECK(cudaMemset(found, 0, sizeof(int)));
  find<<<n / 128, 128>>>(x, 0, found);
  CHECK(cudaGetLastError());
  int result = 0;
  CHECK(cudaMemcpy(&result, found, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(found));
  return result == 1 ? 0 : 1;
}
