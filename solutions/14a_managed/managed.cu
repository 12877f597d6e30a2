//@stub
//@ // Exercise 14a: a bug hunt. Quarters, with a few numbers that host and device share.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 14a
//@solution
// Exercise 14a: quarters, with a few numbers that host and device share. The model solution of the
// bug hunt.
//
// What was wrong: the event was before the kernel that was to be waited for; a prefetch was taken
// for a wait; the host went on writing while a kernel could still read; and it read the last number
// without waiting at all.
//@end

#include <climits>

#include "check.hpp"

#if CUDART_VERSION < 13000
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2  // as it was called before CUDA 13
#endif

constexpr int block = 256;

// What host and device tell each other: in managed memory.
struct Report {
  int least;     // of all elements
  int greatest;  // of all elements
  int border;    // asked for by the host
  int below;     // how many elements are not above the border
  int top;       // how many elements are in the last quarter
};

// The kernels are right. Each lane has an atomic of its own: that is slow, and no mistake.

__global__ void find_extent(const int* x, int n, Report* shared) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  atomicMin(&shared->least, x[i]);
  atomicMax(&shared->greatest, x[i]);
}

__global__ void count_below(const int* x, int n, Report* shared) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n && x[i] <= shared->border) atomicAdd(&shared->below, 1);
}

// Elements above the border are in the quarter after it.
__global__ void raise_quarter(const int* x, int* quarter, int n, int number, const Report* shared) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n && x[i] > shared->border) quarter[i] = number;
}

__global__ void count_top(const int* quarter, int n, Report* shared) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n && quarter[i] == 3) atomicAdd(&shared->top, 1);
}

// Asks for the numbers to be brought to the host's memory, as work of the stream.
void prefetch_to_host(const Report* shared, cudaStream_t stream) {
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  CUDA_CHECK(cudaMemPrefetchAsync(shared, sizeof *shared, host, 0, stream));
}

// quarter[i] = 0 where x[i] is among the least quarter of the elements, and 1, 2, 3 for the next
// ones: border q is the least number of which at least q n / 4 elements are not above it, and
// x[i] is in the last quarter whose border it exceeds. Returns how many elements are in quarter 3.
// x and quarter are in device memory and have n elements; n may be 0.
int launch_quarters(const int* x, int* quarter, int n) {
  if (n == 0) return 0;
  const int grid = (n - 1) / block + 1;
  cudaStream_t stream;
  cudaEvent_t done;
  Report* shared = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaEventCreate(&done));
  CUDA_CHECK(cudaMallocManaged(&shared, sizeof *shared));
  CUDA_CHECK(cudaMemsetAsync(quarter, 0, n * sizeof(int), stream));

  *shared = {INT_MAX, INT_MIN, 0, 0, 0};
  //@stub
  //@ CUDA_CHECK(cudaEventRecord(done, stream));
  //@ find_extent<<<grid, block, 0, stream>>>(x, n, shared);
  //@ CUDA_CHECK_LAUNCH();
  //@ CUDA_CHECK(cudaEventSynchronize(done));
  //@solution
  find_extent<<<grid, block, 0, stream>>>(x, n, shared);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaEventRecord(done, stream));  // after the kernel: it stands for all before it
  CUDA_CHECK(cudaEventSynchronize(done));
  //@end
  const int least = shared->least;
  const int greatest = shared->greatest;

  for (int number = 1; number <= 3; ++number) {
    // The border of this quarter is between low and high; halve that until they meet.
    const int wanted = static_cast<int>((static_cast<long long>(number) * n + 3) / 4);
    int low = least;
    int high = greatest;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      shared->border = middle;
      shared->below = 0;
      count_below<<<grid, block, 0, stream>>>(x, n, shared);
      CUDA_CHECK_LAUNCH();
      prefetch_to_host(shared, stream);
      //@stub
      //@solution
      CUDA_CHECK(cudaStreamSynchronize(stream));  // a prefetch is work as well, and no wait
      //@end
      if (shared->below >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    shared->border = low;
    raise_quarter<<<grid, block, 0, stream>>>(x, quarter, n, number, shared);
    CUDA_CHECK_LAUNCH();
    //@stub
    //@solution
    CUDA_CHECK(cudaStreamSynchronize(stream));  // it has read the border: now that may change
    //@end
  }

  count_top<<<grid, block, 0, stream>>>(quarter, n, shared);
  CUDA_CHECK_LAUNCH();
  //@stub
  //@ const int top = shared->top;
  //@ CUDA_CHECK(cudaStreamSynchronize(stream));
  //@solution
  CUDA_CHECK(cudaStreamSynchronize(stream));
  const int top = shared->top;
  //@end
  CUDA_CHECK(cudaFree(shared));
  CUDA_CHECK(cudaEventDestroy(done));
  CUDA_CHECK(cudaStreamDestroy(stream));
  return top;
}
