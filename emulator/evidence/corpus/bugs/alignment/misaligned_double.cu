// bug: misaligned
// where: *reinterpret_cast<double*>(&buffer[3 * i + 1]) = 1.5
// A record is an int and a double, three words: every second double starts at an odd word.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* buffer, int n) {
  const int i = threadIdx.x;
  if (i < n) *reinterpret_cast<double*>(&buffer[3 * i + 1]) = 1.5;
}

int main() {
  constexpr int n = 64;
  float* buffer = nullptr;
  CHECK(cudaMalloc(&buffer, 3 * n * sizeof(float)));
  fill<<<1, n>>>(buffer, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(buffer));
  return 0;
}
