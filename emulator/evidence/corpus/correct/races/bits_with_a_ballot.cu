// correct: like race_bits_of_a_word, but one lane stores the word for its warp.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void mark_odd(const int* x, unsigned* words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned word = __ballot_sync(0xFFFFFFFF, x[i] % 2 == 1);
  if (threadIdx.x % 32 == 0) words[i / 32] = word;
}

int main() {
  int values[256];
  unsigned result[8];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int* x = nullptr;
  unsigned* y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  mark_odd<<<2, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 8; ++i) {
    if (result[i] != 0xAAAAAAAA) return 1;
  }
  return 0;
}
