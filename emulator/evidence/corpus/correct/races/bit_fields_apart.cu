// correct: like race_bits_of_a_word, but the zero width puts b in a word of its own.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct Pair {
  unsigned a : 5;
  unsigned : 0;
  unsigned b : 5;
};

__global__ void fill(const unsigned* x, unsigned* y) {
  __shared__ Pair pairs[32];
  const unsigned t = threadIdx.x;
  if (t < 32) pairs[t] = Pair{};
  __syncthreads();
  if (t % 2 == 0) pairs[t / 2].a = x[t];
  if (t % 2 == 1) pairs[t / 2].b = x[t];
  __syncthreads();
  y[t] = t % 2 == 0 ? pairs[t / 2].b : pairs[t / 2].a;
}

int main() {
  unsigned values[64];
  unsigned result[64];
  for (int i = 0; i < 64; ++i) values[i] = i % 32;
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  fill<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != static_cast<unsigned>((i ^ 1) % 32)) return 1;
  }
  return 0;
}
