// bug: bad-mask
// where: __syncwarp();  // names all 32 lanes
// The lanes below 8 wait for the whole warp, the rest of which has gone another way.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void first_eight(int* y, int* z) {
  __shared__ int part[8];
  const int t = threadIdx.x;
  if (t < 8) {
    part[t] = t;
    __syncwarp();  // names all 32 lanes
    y[t] = part[7 - t];
    return;
  }
  z[t] = t;
}

int main() {
  int *y = nullptr, *z = nullptr;
  CHECK(cudaMalloc(&y, 8 * sizeof(int)));
  CHECK(cudaMalloc(&z, 32 * sizeof(int)));
  first_eight<<<1, 32>>>(y, z);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
  return 0;
}
