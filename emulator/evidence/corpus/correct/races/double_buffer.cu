// correct: like race_double_buffer, but the rounds take the two buffers in turn.
// A thread that loads round r + 2 has passed the barrier of round r + 1, and so has every other
// one: all have read the buffer of round r.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_rows(const int* x, int* y, int rounds) {
  __shared__ int buffer[2][64];
  const int t = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    buffer[round % 2][t] = x[round * 64 + t];
    __syncthreads();
    y[round * 64 + t] = buffer[round % 2][63 - t];
  }
}

int main() {
  int values[384];
  int result[384];
  for (int i = 0; i < 384; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse_rows<<<1, 64>>>(x, y, 6);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 384; ++i) {
    if (result[i] != i / 64 * 64 + 63 - i % 64) return 1;
  }
  return 0;
}
