// correct: like race_reduction_one_barrier, with the neighbours added first.
// The element that a thread adds is written by nobody in this step; its own is read by nobody else.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  __shared__ int part[96];
  const int t = threadIdx.x;
  part[t] = x[t];
  for (int step = 1; step < 96; step *= 2) {
    __syncthreads();
    if (t % (2 * step) == 0 && t + step < 96) part[t] += part[t + step];
  }
  if (t == 0) *y = part[0];
}

int main() {
  int values[96];
  int result[1];
  for (int i = 0; i < 96; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<1, 96>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 95 * 48 ? 0 : 1;
}
