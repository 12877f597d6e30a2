// bug: double-free
// where: if (data != nullptr && cudaFree(data) != cudaSuccess) failed = true
// The structure frees its array, and its copy frees it once more: a class that owns memory must not
// be copied like this.
#include <cuda_runtime.h>

bool failed = false;

struct Vector {
  explicit Vector(int n) { failed = cudaMalloc(&data, n * sizeof(float)) != cudaSuccess; }
  ~Vector() {
    if (data != nullptr && cudaFree(data) != cudaSuccess) failed = true;
  }
  float* data = nullptr;
};

__global__ void fill(float* x) {
  x[threadIdx.x] = 1.0F;
}

void run(Vector x) {
  fill<<<1, 64>>>(x.data);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) failed = true;
}

int main() {
  {
    const Vector x(64);
    run(x);
  }
  return failed ? 1 : 0;
}
