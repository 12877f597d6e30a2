// correct: like race_shift_in_shared, but a barrier parts reading from writing.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void shift(int* x) {
  __shared__ int tile[129];
  const int t = threadIdx.x;
  tile[t] = x[t];
  if (t == 0) tile[128] = 128;
  __syncthreads();
  const int right = tile[t + 1];
  __syncthreads();
  tile[t] = right;
  __syncthreads();
  x[t] = tile[t];
}

int main() {
  int values[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  shift<<<1, 128>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < 128; ++i) {
    if (values[i] != i + 1) return 1;
  }
  return 0;
}
