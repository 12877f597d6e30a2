// correct: like misaligned_shared, but the doubles come first.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void cut(const int* x, double* y) {
  extern __shared__ double buffer[];
  int* keys = reinterpret_cast<int*>(buffer + 32);
  const int t = threadIdx.x;
  buffer[t] = 0.25 * t;
  keys[t] = x[t];
  __syncthreads();
  y[t] = buffer[31 - t] + keys[31 - t];
}

int main() {
  int values[32];
  double result[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  int* x = nullptr;
  double* y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  cut<<<1, 32, 32 * (sizeof(double) + sizeof(int))>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != 1.25 * (31 - i)) return 1;
  }
  return 0;
}
