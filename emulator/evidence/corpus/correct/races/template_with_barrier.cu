// correct: like race_template, but the barrier is there.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

template <int size, class T>
__global__ void rotate(const T* x, T* y, int shift) {
  __shared__ T tile[size];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[(t + shift) % size];
}

int main() {
  double values[128];
  double result[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  double *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  rotate<128><<<1, 128>>>(x, y, 5);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != (i + 5) % 128) return 1;
  }
  return 0;
}
