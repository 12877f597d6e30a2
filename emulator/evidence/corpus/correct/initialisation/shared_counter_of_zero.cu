// correct: like uninit_shared_counter, but the counter starts from zero.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_positive(const int* x, int* y) {
  __shared__ int positive;
  const int t = threadIdx.x;
  if (t == 0) positive = 0;
  __syncthreads();
  if (x[t] > 0) atomicAdd(&positive, 1);
  __syncthreads();
  if (t == 0) *y = positive;
}

int main() {
  int values[128];
  int result[1];
  for (int i = 0; i < 128; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  count_positive<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 127 ? 0 : 1;
}
