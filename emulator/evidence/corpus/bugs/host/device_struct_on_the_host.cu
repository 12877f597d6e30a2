// bug: device-pointer
// where: list->length = n
// A structure is on the device, and the host sets one of its members.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct List {
  int length;
  float* values;
};

__global__ void fill(const List* list) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < list->length) list->values[i] = 1.0F;
}

int main() {
  constexpr int n = 100;
  List* list = nullptr;
  float* values = nullptr;
  CHECK(cudaMalloc(&list, sizeof(List)));
  CHECK(cudaMalloc(&values, n * sizeof(float)));
  list->length = n;
  CHECK(cudaMemcpy(&list->values, &values, sizeof(values), cudaMemcpyHostToDevice));
  fill<<<1, 128>>>(list);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(values));
  CHECK(cudaFree(list));
  return 0;
}
