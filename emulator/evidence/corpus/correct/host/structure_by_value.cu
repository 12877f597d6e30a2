// correct: like host_inside_struct, but the array is a part of the argument.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct Polynomial {
  int coefficients[4];
};

__global__ void evaluate(Polynomial p, int* y) {
  const int t = threadIdx.x;
  int value = 0;
  for (int k = 3; k >= 0; --k) value = value * t + p.coefficients[k];
  y[t] = value;
}

int main() {
  const Polynomial p{{1, 2, 3, 4}};
  int result[64];
  int* y = nullptr;
  CHECK(cudaMalloc(&y, sizeof(result)));
  evaluate<<<1, 64>>>(p, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != 1 + 2 * i + 3 * i * i + 4 * i * i * i) return 1;
  }
  return 0;
}
