// correct: like race_maximum, but comparison and store are one atomicMax.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void maximum(const int* x, int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(best, x[i]);
}

int main() {
  int values[256];
  int result[1];
  for (int i = 0; i < 256; ++i) values[i] = (i * 7) % 251;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(result)));
  maximum<<<2, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 250 ? 0 : 1;
}
