// The host reads and writes managed and pinned memory where they lie, takes addresses of device
// memory apart, and gets the rest by copies, while kernels come and go in between.
#include <cuda_runtime.h>

#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct Pair {
  float first;
  float second;
};

__global__ void add(const float* x, const float* y, Pair* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i].second = x[i] + y[i];
}

int main() {
  constexpr int n = 100;
  float* managed = nullptr;
  float* pinned = nullptr;
  Pair* pairs = nullptr;
  CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  CHECK(cudaMalloc(&pairs, n * sizeof(Pair)));
  CHECK(cudaMemset(pairs, 0, n * sizeof(Pair)));
  std::vector<Pair> result(n);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) {
      managed[i] = static_cast<float>(i);
      pinned[i] = static_cast<float>(round);
    }
    add<<<1, 128>>>(managed, pinned, pairs, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    float one = 0.0F;
    const float* const second = &(pairs + 7)->second;  // an address is not an access
    CHECK(cudaMemcpy(&one, second, sizeof(one), cudaMemcpyDeviceToHost));
    if (one != managed[7] + pinned[7]) return 1;
  }
  CHECK(cudaMemcpy(result.data(), pairs, n * sizeof(Pair), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(pairs));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
  return result[9].second == 11.0F ? 0 : 1;
}
