// A small program for emulator/README.md, which follows one of its accesses from the source to the
// figure: the load from shared memory in the last line of the kernel.
#include <cstdio>

__global__ void every_second(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  s[threadIdx.x + 32] = 0;
  __syncthreads();
  out[threadIdx.x] = s[2 * threadIdx.x];
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  every_second<<<1, 32>>>(in, out);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) std::printf("%s\n", cudaGetErrorString(status));
  cudaFree(in);
  cudaFree(out);
  return status == cudaSuccess ? 0 : 1;
}
