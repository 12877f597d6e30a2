// correct: like misaligned_header, but the length is put together from bytes.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void read_lengths(const unsigned char* packets, int* lengths) {
  const unsigned char* packet = packets + 6 * threadIdx.x;
  int length = 0;
  for (int b = 4; b > 0; --b) length = 256 * length + packet[b];
  lengths[threadIdx.x] = length;
}

int main() {
  unsigned char values[192];
  int result[32];
  for (int i = 0; i < 192; ++i) values[i] = i % 6 == 1 ? i : 0;
  unsigned char* x = nullptr;
  int* y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  read_lengths<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != 6 * i + 1) return 1;
  }
  return 0;
}
