// correct: like barrier_ragged_block, but the warps without work have ended.
// A barrier waits for the threads that have not ended.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_blocks(const int* x, int* y, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  const int first = blockIdx.x * 128;
  const int width = min(128, n - first);
  if (t >= width) return;
  tile[t] = x[first + t];
  __syncthreads();
  y[first + t] = tile[width - 1 - t];
}

int main() {
  int values[192];
  int result[192];
  for (int i = 0; i < 192; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse_blocks<<<2, 128>>>(x, y, 192);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 192; ++i) {
    if (result[i] != (i < 128 ? 127 - i : 128 + 191 - i)) return 1;
  }
  return 0;
}
