//@stub
//@ // Exercise 30b: an all-gather by a ring.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO. Then:
//@ //     ./course check 30b
//@solution
// Exercise 30b: an all-gather by a ring. The model solution.
//@end

#include "check.hpp"

constexpr int block = 128;
constexpr int most_devices = 8;

__global__ void copy(const float* from, float* to, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) to[i] = from[i];
}
void launch_copy(const float* from, float* to, int n, cudaStream_t stream) {
  copy<<<(n - 1) / block + 1, block, 0, stream>>>(from, to, n);
  CUDA_CHECK_LAUNCH();
}

// A device: here a stream and a part of the memory.
struct Device {
  cudaStream_t stream;
  cudaEvent_t sent;  // for you: what it has sent so far is there
  float* all;        // devices * n floats: what every device brings, in their order
};

// The part that a device sends to the next one in a step, from 0 on.
int part_to_send(int device, int step, int devices) {
  //@stub
  //@ // TODO (1 line)
  //@ return 0;
  //@solution
  return (device - step + devices) % devices;  // its own, and then what it got a step before
  //@end
}

// All devices send their parts round the ring. Each has its own part in place already.
void send_round(const Device* all, int n, int devices) {
  //@stub
  //@ // TODO ({lines} lines): in each step every device sends one part to the device after it, by
  //@ // launch_copy() in its own stream, to the same place there. It may have to wait before.
  //@solution
  for (int step = 0; step + 1 < devices; ++step) {
    for (int d = 0; d < devices; ++d) {
      const Device& device = all[d];
      const Device& next = all[(d + 1) % devices];
      const size_t first = static_cast<size_t>(part_to_send(d, step, devices)) * n;
      launch_copy(device.all + first, next.all + first, n, device.stream);
    }
    for (int d = 0; d < devices; ++d) CUDA_CHECK(cudaEventRecord(all[d].sent, all[d].stream));
    for (int d = 0; d < devices; ++d) {  // what a device passes on next, it gets in this step
      CUDA_CHECK(cudaStreamWaitEvent(all[d].stream, all[(d + devices - 1) % devices].sent, 0));
    }
  }
  //@end
}

// Device d brings n floats, from in + d n on. When this returns, each device has those of all:
// device d from out + d (devices n) on. There are 1 to 8 devices; n may be 0.
void all_gather(const float* in, float* out, int n, int devices) {
  if (n == 0) return;
  Device all[most_devices];
  for (int d = 0; d < devices; ++d) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&all[d].stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&all[d].sent, cudaEventDisableTiming));
    all[d].all = out + static_cast<size_t>(d) * devices * n;
    launch_copy(in + d * n, all[d].all + d * n, n, all[d].stream);
  }
  send_round(all, n, devices);
  for (int d = 0; d < devices; ++d) CUDA_CHECK(cudaStreamSynchronize(all[d].stream));
  for (int d = 0; d < devices; ++d) {
    CUDA_CHECK(cudaEventDestroy(all[d].sent));
    CUDA_CHECK(cudaStreamDestroy(all[d].stream));
  }
}
