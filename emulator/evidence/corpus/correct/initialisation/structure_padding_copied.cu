// correct: like uninit_copied_back, but what nobody wrote is padding.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct Item {
  char kind;  // and three bytes of padding
  int value;
};

__global__ void fill(Item* items) {
  items[threadIdx.x].kind = 'a';
  items[threadIdx.x].value = threadIdx.x;
}

__global__ void reverse(const Item* from, Item* to) {
  to[threadIdx.x] = from[blockDim.x - 1 - threadIdx.x];
}

int main() {
  Item result[64];
  Item *from = nullptr, *to = nullptr;
  CHECK(cudaMalloc(&from, sizeof(result)));
  CHECK(cudaMalloc(&to, sizeof(result)));
  fill<<<1, 64>>>(from);
  CHECK(cudaGetLastError());
  reverse<<<1, 64>>>(from, to);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, to, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  for (int i = 0; i < 64; ++i) {
    if (result[i].kind != 'a' || result[i].value != 63 - i) return 1;
  }
  return 0;
}
