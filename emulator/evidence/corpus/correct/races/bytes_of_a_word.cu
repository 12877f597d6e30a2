// correct: like race_bits_of_a_word, but a byte is the smallest thing that is stored.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void mark(const int* x, char* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] % 2 == 1 ? 'o' : 'e';
}

int main() {
  int values[256];
  char result[256];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int* x = nullptr;
  char* y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  mark<<<2, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 256; ++i) {
    if (result[i] != (i % 2 == 1 ? 'o' : 'e')) return 1;
  }
  return 0;
}
