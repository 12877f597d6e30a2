//@stub
//@ // Exercise 14b: through two pinned buffers.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 14b
//@solution
// Exercise 14b: through two pinned buffers. The model solution.
//
// While one buffer is on its way to the device, the host fills the other one. Before it fills a
// buffer again it waits for what was done with it before, and for nothing else.
//@end

#include <algorithm>
#include <cstring>

#include "check.hpp"

constexpr int block = 256;

// Levels of grey from 0 to 255, one byte each.
__global__ void to_levels(const float* part, int count, unsigned char* levels) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < count) levels[i] = static_cast<unsigned char>(fminf(fmaxf(part[i], 0.0F), 255.0F));
}

// One of two buffers.
struct Buffer {
  float* staging;       // in pinned memory
  float* part;          // in device memory, as large
  cudaStream_t stream;  // in which it is copied and used
};

// levels[i] is the level of x[i]. x has n elements, is in ordinary memory of the host, and stays
// as it is; levels is in device memory. A buffer holds `chunk` elements, and there are two of
// either kind. n may be 0; chunk is at least 1. When the function returns, all work is done and all
// that it has allocated is freed.
void launch_levels(const float* x, int n, unsigned char* levels, int chunk) {
  //@stub
  //@ // TODO ({lines} lines): make two buffers. For each chunk: the buffer whose turn it is; wait
  //@ // until it is free; fill it; copy it, and launch to_levels for it, in its stream. At the end
  //@ // wait for both, and give all back.
  //@solution
  const size_t bytes = chunk * sizeof(float);
  Buffer buffers[2];
  for (Buffer& one : buffers) {
    CUDA_CHECK(cudaMallocHost(&one.staging, bytes));
    CUDA_CHECK(cudaMalloc(&one.part, bytes));
    CUDA_CHECK(cudaStreamCreate(&one.stream));
  }
  int turn = 0;
  for (size_t first = 0; first < static_cast<size_t>(n); first += chunk) {
    const Buffer& mine = buffers[turn];
    turn = 1 - turn;
    const int count = static_cast<int>(std::min<size_t>(chunk, n - first));
    CUDA_CHECK(cudaStreamSynchronize(mine.stream));  // the chunk before last has left it
    std::memcpy(mine.staging, x + first, count * sizeof(float));
    CUDA_CHECK(cudaMemcpyAsync(mine.part, mine.staging, count * sizeof(float),
                               cudaMemcpyHostToDevice, mine.stream));
    const int grid = (count - 1) / block + 1;
    to_levels<<<grid, block, 0, mine.stream>>>(mine.part, count, levels + first);
    CUDA_CHECK_LAUNCH();
  }
  for (const Buffer& one : buffers) {
    CUDA_CHECK(cudaStreamSynchronize(one.stream));
    CUDA_CHECK(cudaStreamDestroy(one.stream));
    CUDA_CHECK(cudaFree(one.part));
    CUDA_CHECK(cudaFreeHost(one.staging));
  }
  //@end
}
