// correct: like race_lambda, but the lambda ends with a barrier.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  __shared__ int tile[96];
  const int t = threadIdx.x;
  int sum = 0;
  const auto add_tile = [&](int first) {
    tile[t] = x[first + t];
    __syncthreads();
    for (int k = 0; k < 96; ++k) sum += tile[k];
    __syncthreads();
  };
  add_tile(0);
  add_tile(96);
  y[t] = sum;
}

int main() {
  int values[192];
  int result[96];
  for (int i = 0; i < 192; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<1, 96>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 96; ++i) {
    if (result[i] != 191 * 96) return 1;
  }
  return 0;
}
