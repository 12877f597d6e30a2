// correct: like oob_negative_index, but the pointer starts inside the array.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void differences(const int* middle, int* y) {
  const int i = static_cast<int>(threadIdx.x) - 32;
  y[threadIdx.x] = middle[i] - middle[i - 1];
}

int main() {
  int values[65];
  int result[64];
  for (int i = 0; i < 65; ++i) values[i] = i * i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  differences<<<1, 64>>>(x + 33, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != 2 * i + 1) return 1;
  }
  return 0;
}
