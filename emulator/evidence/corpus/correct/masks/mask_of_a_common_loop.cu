// correct: like mask_lanes_left_the_loop, but lanes stay until the last is done.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void vote(unsigned* y) {
  const int t = threadIdx.x;
  unsigned trips = 0;
  for (int trip = 0; __any_sync(0xFFFFFFFF, trip <= t); ++trip) {
    trips += __popc(__ballot_sync(0xFFFFFFFF, trip <= t));
  }
  y[t] = trips;
}

int main() {
  unsigned result[32];
  unsigned* y = nullptr;
  CHECK(cudaMalloc(&y, sizeof(result)));
  vote<<<1, 32>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != 33U * 16) return 1;
  }
  return 0;
}
