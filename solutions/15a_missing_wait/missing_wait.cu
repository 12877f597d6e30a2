//@stub
//@ // Exercise 15a: a bug hunt. Three streams, and what each waits for.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 15a
//@solution
// Exercise 15a: three streams and what each waits for. The model solution of the bug hunt.
//
// What was wrong: an event was recorded before all copies that it stands for; the stream of copies
// out did not wait for the kernels; a buffer was filled again before its page was out; and the host
// waited for the wrong stream.
//@end

#include "check.hpp"

constexpr int block = 128;
constexpr int buffers = 2;  // on the device: one page is processed while the next one arrives

// a = 2 a + b
__global__ void blend(float* a, const float* b, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) a[i] = 2.0F * a[i] + b[i];
}

// Where a page is on the device. Its result takes the place of a.
struct DevicePages {
  float* a;
  float* b;
  cudaEvent_t has_arrived;  // the page is on the device
  cudaEvent_t is_blended;   // the result is computed
  cudaEvent_t has_left;     // and the host has it: the buffer is free
};

// y = 2 a + b, for `pages` pages of n numbers each, one after the other. All three arrays are in
// pinned memory of the host. `memory` on the device has room for 4 n numbers: two pages of a and
// two of b. One stream copies in, one computes, one copies out. When this returns, y is complete. n
// and pages may be 0.
void blend_pages(const float* a, const float* b, float* y, float* memory, int n, int pages) {
  if (n == 0 || pages == 0) return;
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  cudaStream_t in, work, out;
  for (cudaStream_t* const stream : {&in, &work, &out}) CUDA_CHECK(cudaStreamCreate(stream));
  DevicePages all[buffers];
  for (DevicePages& buffer : all) {
    buffer.a = memory + (&buffer - all) * 2 * n;
    buffer.b = buffer.a + n;
    for (cudaEvent_t* const event : {&buffer.has_arrived, &buffer.is_blended, &buffer.has_left}) {
      CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
  }

  for (int page = 0; page < pages; ++page) {
    const DevicePages& buffer = all[page % buffers];
    const size_t first = static_cast<size_t>(page) * n;
    //@stub
    //@ CUDA_CHECK(cudaMemcpyAsync(buffer.a, a + first, bytes, cudaMemcpyHostToDevice, in));
    //@ CUDA_CHECK(cudaEventRecord(buffer.has_arrived, in));
    //@ CUDA_CHECK(cudaMemcpyAsync(buffer.b, b + first, bytes, cudaMemcpyHostToDevice, in));
    //@solution
    // Nothing was recorded before the first pages, and nothing is waited for.
    CUDA_CHECK(cudaStreamWaitEvent(in, buffer.has_left, 0));
    CUDA_CHECK(cudaMemcpyAsync(buffer.a, a + first, bytes, cudaMemcpyHostToDevice, in));
    CUDA_CHECK(cudaMemcpyAsync(buffer.b, b + first, bytes, cudaMemcpyHostToDevice, in));
    CUDA_CHECK(cudaEventRecord(buffer.has_arrived, in));
    //@end

    CUDA_CHECK(cudaStreamWaitEvent(work, buffer.has_arrived, 0));
    blend<<<(n - 1) / block + 1, block, 0, work>>>(buffer.a, buffer.b, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaEventRecord(buffer.is_blended, work));

    //@stub
    //@solution
    CUDA_CHECK(cudaStreamWaitEvent(out, buffer.is_blended, 0));
    //@end
    CUDA_CHECK(cudaMemcpyAsync(y + first, buffer.a, bytes, cudaMemcpyDeviceToHost, out));
    CUDA_CHECK(cudaEventRecord(buffer.has_left, out));
  }

  //@stub
  //@ CUDA_CHECK(cudaStreamSynchronize(work));
  //@solution
  CUDA_CHECK(cudaStreamSynchronize(out));  // the last copy out comes after all else
  //@end
  for (DevicePages& buffer : all) {
    for (const cudaEvent_t event : {buffer.has_arrived, buffer.is_blended, buffer.has_left}) {
      CUDA_CHECK(cudaEventDestroy(event));
    }
  }
  for (const cudaStream_t stream : {in, work, out}) CUDA_CHECK(cudaStreamDestroy(stream));
}
