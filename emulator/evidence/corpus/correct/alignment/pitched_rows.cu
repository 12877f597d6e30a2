// correct: like misaligned_row, but the pitch keeps every row aligned.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(char* image, size_t pitch, int n) {
  float2* row = reinterpret_cast<float2*>(image + blockIdx.x * pitch);
  const int col = threadIdx.x;
  if (col < n / 2) row[col] = make_float2(blockIdx.x, col);
  if (col == n / 2) reinterpret_cast<float*>(row)[n - 1] = -1.0F;
}

int main() {
  constexpr int m = 8;
  constexpr int n = 33;
  float values[m][n];
  char* image = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&image, &pitch, n * sizeof(float), m));
  fill<<<m, 32>>>(image, pitch, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy2D(values, sizeof(values[0]), image, pitch, sizeof(values[0]), m,
                     cudaMemcpyDeviceToHost));
  CHECK(cudaFree(image));
  for (int row = 0; row < m; ++row) {
    for (int k = 0; k < n / 2; ++k) {
      if (values[row][2 * k] != row || values[row][2 * k + 1] != k) return 1;
    }
    if (values[row][n - 1] != -1.0F) return 1;
  }
  return 0;
}
