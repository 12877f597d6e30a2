// correct: like barrier_unequal_trips, but the block votes on each further trip.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_halvings(const int* x, int* y) {
  const int t = threadIdx.x;
  int value = x[t];
  int trips = 0;
  while (__syncthreads_or(value > 1) != 0) {
    value /= 2;
    ++trips;
  }
  y[t] = 100 * trips + __syncthreads_count(x[t] >= 64);
}

int main() {
  int values[128];
  int result[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  count_halvings<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != 664) return 1;
  }
  return 0;
}
