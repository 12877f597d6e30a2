// Launches kernels and ends in one way or another: what report_test.py looks at.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

__global__ void twice(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i * 2];
}

template <int k>
__global__ void shared_column(float* out) {
  __shared__ float tile[32][k];
  tile[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][0];
}

__global__ void wrong(const float* nowhere, float* out) {
  out[threadIdx.x] = *nowhere;
}

int main(int argc, char** argv) {
  const std::string end = argc > 1 ? argv[1] : "";
  if (end == "nothing") return 0;
  float* in = nullptr;
  float* out = nullptr;
  if (cudaMalloc(&in, 4096) != cudaSuccess || cudaMalloc(&out, 4096) != cudaSuccess) return 1;
  if (cudaMemset(in, 0, 4096) != cudaSuccess) return 1;
  if (end == "allocate") return 0;
  twice<<<4, dim3(32, 2)>>>(in, out, 250);
  shared_column<32><<<1, 32>>>(out);
  shared_column<33><<<dim3(1, 2, 3), 32>>>(out);
  if (end == "kernel") wrong<<<1, 32>>>(nullptr, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  if (end == "exit") std::exit(3);
  if (end == "_exit") _exit(4);
  if (end == "throw") throw std::runtime_error("the program's own error");
  if (end == "abort") std::abort();
  if (end == "segv") return *static_cast<volatile int*>(nullptr);
  if (end == "kill") kill(getpid(), SIGKILL);
  if (end == "many") {
    for (int i = 0; i < 3000; ++i) twice<<<4, 64>>>(in, out, 250);
  }
  return 0;
}
