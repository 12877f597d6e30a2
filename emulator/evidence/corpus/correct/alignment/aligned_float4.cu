// correct: like misaligned_float4, but x + 4 is a multiple of 16 bytes again.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sums_of_four(const float* x, float* y) {
  const float4 four = reinterpret_cast<const float4*>(x + 4)[threadIdx.x];
  y[threadIdx.x] = four.x + four.y + four.z + four.w;
}

int main() {
  float values[260];
  float result[64];
  for (int i = 0; i < 260; ++i) values[i] = static_cast<float>(i);
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  sums_of_four<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != 16.0F * i + 22.0F) return 1;
  }
  return 0;
}
