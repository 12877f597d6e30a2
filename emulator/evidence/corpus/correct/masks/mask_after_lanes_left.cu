// correct: like mask_lanes_left_the_loop, but a ballot named those that stay.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  const unsigned mask = __ballot_sync(0xFFFFFFFF, t < n);
  if (t >= n) return;
  int sum = 0;
  for (int lane = 0; lane < n; ++lane) sum += __shfl_sync(mask, x[t], lane);
  y[t] = sum;
}

int main() {
  int values[20];
  int result[20];
  for (int i = 0; i < 20; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<1, 32>>>(x, y, 20);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 20; ++i) {
    if (result[i] != 190) return 1;
  }
  return 0;
}
