// What the test of the gdb extension debugs: a kernel with all that makes a thread wait. The test
// finds the lines by the words in their comments.

#include <cuda_runtime.h>

#include <cstdio>

constexpr int threads = 64;

__device__ __attribute__((noinline)) int doubled(int value) {
  const int result = 2 * value;  // in a function
  return result;
}

__global__ void walk(const int* in, int* out) {
  __shared__ int tile[threads];
  __shared__ volatile int flag;
  extern __shared__ int extra[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (t == 0) flag = 0;
  tile[t] = in[i];                                  // before the barrier
  extra[t] = -tile[t];                              // dynamic shared memory
  __syncthreads();                                  // the barrier
  int value = tile[63 - t];                         // after the barrier
  value += 1;                                       // before the shuffle
  value += __shfl_xor_sync(0xFFFFFFFFU, value, 1);  // the shuffle
  int sum = value;                                  // after the shuffle
  if (t == 63) flag = 1;                            // before the poll
  while (flag == 0) {                               // the poll
  }
  sum += 1;                                              // after the poll
  for (int k = 0; k < 300; ++k) sum += in[k % threads];  // the loop
  sum = doubled(sum);                                    // the call
  out[i] = sum;                                          // the end
}

// A template, of which there are two.
template <int width>
__global__ void sum_of_tiles(const int* in, int* out, int count) {
  __shared__ int tile[width];
  const int t = threadIdx.x;
  int sum = 0;
  for (int first = 0; first < count; first += width) {
    tile[t] = first + t < count ? in[first + t] : 0;  // in the template: the load
    __syncthreads();                                  // in the template: the barrier
    for (int k = 0; k < width; ++k) sum += tile[k];   // in the template: the sum
    __syncthreads();                                  // in the template: the other barrier
  }
  if (t == 0) out[blockIdx.x] = sum;  // in the template: the end
}

int main() {
  int* in = nullptr;
  int* out = nullptr;
  if (cudaMallocManaged(&in, 2 * threads * sizeof(int)) != cudaSuccess) return 1;
  if (cudaMallocManaged(&out, 2 * threads * sizeof(int)) != cudaSuccess) return 1;
  for (int i = 0; i < 2 * threads; ++i) in[i] = 100 + i;
  walk<<<2, threads, threads * sizeof(int)>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  sum_of_tiles<16><<<2, 16>>>(in, out + 1, 100);
  sum_of_tiles<32><<<2, 32>>>(in, out + 1, 100);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %d\n", out[0], out[2 * threads - 1]);
  return cudaFree(in) == cudaSuccess && cudaFree(out) == cudaSuccess ? 0 : 1;
}
