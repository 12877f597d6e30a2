// bug: divergent-barrier
// where: __syncthreads();  // the even threads' barrier
// Two barriers in the source are two different barriers, also if every thread meets one of them.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void exchange(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  if (t % 2 == 0) {
    __syncthreads();  // the even threads' barrier
    y[t] = tile[t + 1] + 1;
  } else {
    __syncthreads();
    y[t] = tile[t - 1] - 1;
  }
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(int)));
  CHECK(cudaMalloc(&y, 64 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 64 * sizeof(int)));
  exchange<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
