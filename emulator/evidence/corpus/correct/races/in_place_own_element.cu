// correct: like race_stencil_in_place, but each thread reads its own element alone.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void square(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}

int main() {
  int values[1000];
  for (int i = 0; i < 1000; ++i) values[i] = i;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  square<<<8, 128>>>(x, 1000);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < 1000; ++i) {
    if (values[i] != i * i) return 1;
  }
  return 0;
}
