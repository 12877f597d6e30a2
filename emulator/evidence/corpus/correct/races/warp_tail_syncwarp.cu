// correct: like race_volatile_warp, but all lanes read before any lane writes.
// The lanes from `step` on add up what nobody needs.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  if (t < 32) {
    for (int step = 32; step > 0; step /= 2) {
      const int other = part[t + step];
      __syncwarp();
      part[t] += other;
      __syncwarp();
    }
  }
  if (t == 0) *y = part[0];
}

int main() {
  int values[64];
  int result[1];
  for (int i = 0; i < 64; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 63 * 32 ? 0 : 1;
}
