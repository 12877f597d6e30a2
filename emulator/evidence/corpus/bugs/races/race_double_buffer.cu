// bug: race
// where: buffer[0][t] = x[round * 64 + t]
// where: y[round * 64 + t] = buffer[0][63 - t]
// Two buffers would let one barrier a round be enough, but every round uses the first one.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_rows(const float* x, float* y, int rounds) {
  __shared__ float buffer[2][64];
  const int t = threadIdx.x;
  buffer[1][t] = 0.0F;
  for (int round = 0; round < rounds; ++round) {
    buffer[0][t] = x[round * 64 + t];
    __syncthreads();
    y[round * 64 + t] = buffer[0][63 - t];
  }
}

int main() {
  constexpr int rounds = 6;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, rounds * 64 * sizeof(float)));
  CHECK(cudaMalloc(&y, rounds * 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, rounds * 64 * sizeof(float)));
  reverse_rows<<<1, 64>>>(x, y, rounds);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
