// correct: like mask_of_missing_lanes, but the mask names the warp's own lanes.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void warp_totals(const int* x, int* y) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int lanes = min(32, static_cast<int>(blockDim.x) - (t - lane));
  const unsigned mask = lanes == 32 ? 0xFFFFFFFF : (1U << lanes) - 1;
  int value = x[t];
  for (int step = 16; step > 0; step /= 2) {
    const int other = __shfl_down_sync(mask, value, step);
    if (lane + step < lanes) value += other;
  }
  if (lane == 0) y[t / 32] = value;
}

int main() {
  int values[48];
  int result[2];
  for (int i = 0; i < 48; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  warp_totals<<<1, 48>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 2; ++i) {
    if (result[i] != (i == 0 ? 31 * 16 : 47 * 24 - 31 * 16)) return 1;
  }
  return 0;
}
