// correct: like mask_half_the_warp, but right for whichever lanes are active.
// Lanes that count together name one leader, which adds for them; how they are grouped does not
// matter.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_odd(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] % 2 == 0) return;
  const unsigned mask = __activemask();
  const int leader = __ffs(mask) - 1;
  if (static_cast<int>(threadIdx.x) % 32 == leader) atomicAdd(y, __popc(mask));
}

int main() {
  int values[256];
  int result[1];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(result)));
  count_odd<<<2, 128>>>(x, y, 201);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 100 ? 0 : 1;
}
