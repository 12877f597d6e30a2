// correct: like race_device_function, but it waits before and after the reading.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int last_value(int* values, int value) {
  values[threadIdx.x] = value;
  __syncthreads();
  const int last = values[blockDim.x - 1];
  __syncthreads();
  return last;
}

__global__ void add_last(const int* x, int* y) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  y[t] = last_value(values, x[t]) + last_value(values, 2 * x[t]);
}

int main() {
  int values[128];
  int result[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  add_last<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != 3 * 127) return 1;
  }
  return 0;
}
