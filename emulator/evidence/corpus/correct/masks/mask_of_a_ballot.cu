// correct: like mask_half_the_warp, but a ballot says which lanes take the branch.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void largest_odd(const int* x, int* y) {
  const int t = threadIdx.x;
  const bool odd = x[t] % 2 == 1;
  const unsigned mask = __ballot_sync(0xFFFFFFFF, odd);
  y[t] = -1;
  if (odd) {
    const int last = 31 - __clz(mask);
    y[t] = __shfl_sync(mask, x[t], last);
  }
}

int main() {
  int values[32];
  int result[32];
  for (int i = 0; i < 32; ++i) values[i] = i % 3 == 1 ? i | 1 : 2 * i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  largest_odd<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != (i % 3 == 1 ? 31 : -1)) return 1;
  }
  return 0;
}
