// bug: misaligned
// where: lengths[i] = *reinterpret_cast<const int*>(packet + 1)
// A packet is one byte of type, four bytes of length, one of end: the length is not aligned.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void read_lengths(const char* packets, int* lengths, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const char* packet = packets + 6 * i;
  lengths[i] = *reinterpret_cast<const int*>(packet + 1);
}

int main() {
  constexpr int n = 32;
  char* packets = nullptr;
  int* lengths = nullptr;
  CHECK(cudaMalloc(&packets, 6 * n));
  CHECK(cudaMalloc(&lengths, n * sizeof(int)));
  CHECK(cudaMemset(packets, 0, 6 * n));
  read_lengths<<<1, n>>>(packets, lengths, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(packets));
  CHECK(cudaFree(lengths));
  return 0;
}
