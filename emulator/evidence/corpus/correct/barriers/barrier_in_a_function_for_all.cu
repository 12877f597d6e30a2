// correct: like barrier_in_a_function, but every thread calls it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int publish(int* place, int value) {
  if (threadIdx.x == 0) *place = value;
  __syncthreads();
  return *place;
}

__global__ void add_first(const int* x, int* y) {
  __shared__ int place;
  const int t = threadIdx.x;
  const int first = publish(&place, x[0]);
  y[t] = t < 32 ? x[t] + first : x[t];
}

int main() {
  int values[96];
  int result[96];
  for (int i = 0; i < 96; ++i) values[i] = i + 7;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  add_first<<<1, 96>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 96; ++i) {
    if (result[i] != (i < 32 ? 14 + i : 7 + i)) return 1;
  }
  return 0;
}
