// bug: host-pointer
// where: y[i] = matrix.data[i]
// The structure is copied to the kernel; the array that it points to stays with the host.
#include <cuda_runtime.h>

#include <memory>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct Matrix {
  int rows;
  int cols;
  float* data;
};

__global__ void flatten(Matrix matrix, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < matrix.rows * matrix.cols) y[i] = matrix.data[i];
}

int main() {
  const auto values = std::make_unique<float[]>(600);
  const Matrix matrix{20, 30, values.get()};
  float* y = nullptr;
  CHECK(cudaMalloc(&y, 600 * sizeof(float)));
  flatten<<<5, 128>>>(matrix, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
