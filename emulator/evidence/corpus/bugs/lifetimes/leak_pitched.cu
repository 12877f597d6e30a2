// bug: leak
// where: CHECK(cudaMallocPitch(&image, &pitch, 100, 20))
// Memory of cudaMallocPitch wants its cudaFree as well.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

int main() {
  char* image = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&image, &pitch, 100, 20));
  CHECK(cudaMemset2D(image, pitch, 0, 100, 20));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
