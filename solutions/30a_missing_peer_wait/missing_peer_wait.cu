//@stub
//@ // Exercise 30a: a bug hunt. A ring of devices, and who waits for whom.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 30a
//@solution
// Exercise 30a: a ring of devices, and who waits for whom. The model solution of the bug hunt.
//
// What was wrong: a device waited for its own copy and not for the one that it gets; it sent into
// its neighbour's memory before that was done with what had come before; in the second half nobody
// waited; and the host waited for device 0 alone.
//@end

#include "check.hpp"

constexpr int block = 128;
constexpr int most_devices = 8;

// A part of an array: chunk c of `devices`.
struct Chunk {
  int first;
  int count;
};
Chunk chunk_of(int c, int n, int devices) {
  const int first = n / devices * c + n % devices * c / devices;
  const int end = n / devices * (c + 1) + n % devices * (c + 1) / devices;
  return {first, end - first};
}

__global__ void copy(const float* from, float* to, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void add(const float* from, float* to, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) to[i] += from[i];
}
int blocks_for(int n) {
  return (n - 1) / block + 1;
}

// A device: here a stream and a part of the memory.
struct Device {
  cudaStream_t stream;
  cudaEvent_t sent;   // it has sent its chunk of this step
  cudaEvent_t added;  // it has added up the chunk that it got
  float* sums;        // n floats
  float* landing;     // n floats, into which the device before it writes
};

// Each of `devices` devices brings n floats: device d those from in + d n on. When this returns,
// each has the sums of all: device d from out + d n on. `memory` has room for devices * n floats,
// where chunks land. There are 1 to 8 devices; n may be 0.
void ring_sums(const float* in, float* out, float* memory, int n, int devices) {
  if (n == 0) return;
  Device all[most_devices];
  for (int d = 0; d < devices; ++d) {
    Device& device = all[d];
    CUDA_CHECK(cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking));
    for (cudaEvent_t* const event : {&device.sent, &device.added}) {
      CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
    device.sums = out + d * n;
    device.landing = memory + d * n;
    copy<<<blocks_for(n), block, 0, device.stream>>>(in + d * n, device.sums, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaEventRecord(device.added, device.stream));
  }

  for (int step = 0; step < 2 * (devices - 1); ++step) {
    const bool adds = step < devices - 1;  // in the second half the sums go round
    // Each device sends a chunk to the next one: always to the beginning of its landing.
    for (int d = 0; d < devices; ++d) {
      const Device& device = all[d];
      const Device& next = all[(d + 1) % devices];
      const Chunk chunk = chunk_of((d - step + 2 * devices) % devices, n, devices);
      //@stub
      //@solution
      CUDA_CHECK(cudaStreamWaitEvent(device.stream, next.added, 0));
      //@end
      if (chunk.count > 0) {
        copy<<<blocks_for(chunk.count), block, 0, device.stream>>>(device.sums + chunk.first,
                                                                   next.landing, chunk.count);
        CUDA_CHECK_LAUNCH();
      }
      CUDA_CHECK(cudaEventRecord(device.sent, device.stream));
    }
    // And takes the chunk that the one before it has sent.
    for (int d = 0; d < devices; ++d) {
      const Device& device = all[d];
      const int before = (d + devices - 1) % devices;
      const Chunk chunk = chunk_of((before - step + 2 * devices) % devices, n, devices);
      //@stub
      //@ if (adds) CUDA_CHECK(cudaStreamWaitEvent(device.stream, device.sent, 0));
      //@solution
      CUDA_CHECK(cudaStreamWaitEvent(device.stream, all[before].sent, 0));
      //@end
      if (chunk.count > 0) {
        const auto kernel = adds ? add : copy;
        kernel<<<blocks_for(chunk.count), block, 0, device.stream>>>(
            device.landing, device.sums + chunk.first, chunk.count);
        CUDA_CHECK_LAUNCH();
      }
      CUDA_CHECK(cudaEventRecord(device.added, device.stream));
    }
  }

  //@stub
  //@ CUDA_CHECK(cudaStreamSynchronize(all[0].stream));
  //@solution
  for (int d = 0; d < devices; ++d) CUDA_CHECK(cudaStreamSynchronize(all[d].stream));
  //@end
  for (int d = 0; d < devices; ++d) {
    for (const cudaEvent_t event : {all[d].sent, all[d].added}) CUDA_CHECK(cudaEventDestroy(event));
    CUDA_CHECK(cudaStreamDestroy(all[d].stream));
  }
}
