// bug: misaligned
// where: values[t] = 0.25 * t
// Dynamic shared memory is cut into 33 ints and then doubles, which so start at byte 132.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void cut(int* keys_out, double* values_out) {
  extern __shared__ int buffer[];
  int* keys = buffer;
  double* values = reinterpret_cast<double*>(buffer + 33);
  const int t = threadIdx.x;
  keys[t] = t;
  values[t] = 0.25 * t;
  __syncthreads();
  keys_out[t] = keys[31 - t];
  values_out[t] = values[31 - t];
}

int main() {
  int* keys = nullptr;
  double* values = nullptr;
  CHECK(cudaMalloc(&keys, 32 * sizeof(int)));
  CHECK(cudaMalloc(&values, 32 * sizeof(double)));
  cut<<<1, 32, 33 * sizeof(int) + 32 * sizeof(double)>>>(keys, values);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(keys));
  CHECK(cudaFree(values));
  return 0;
}
