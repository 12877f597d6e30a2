// correct: like oob_halo_2d, but the halo outside the image is filled with zeros.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void neighbours(const int* x, int* y, int n) {
  __shared__ int tile[18][18];
  const int first_col = blockIdx.x * 16 - 1;
  const int first_row = blockIdx.y * 16 - 1;
  const int t = threadIdx.y * 16 + threadIdx.x;
  for (int k = t; k < 18 * 18; k += 256) {
    const int row = first_row + k / 18;
    const int col = first_col + k % 18;
    const bool inside = row >= 0 && row < n && col >= 0 && col < n;
    tile[k / 18][k % 18] = inside ? x[row * n + col] : 0;
  }
  __syncthreads();
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int sum = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  y[(first_row + ty) * n + first_col + tx] = sum;
}

int main() {
  int values[1024];
  int result[1024];
  for (int i = 0; i < 1024; ++i) values[i] = 1;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  neighbours<<<dim3(2, 2), dim3(16, 16)>>>(x, y, 32);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 1024; ++i) {
    const int row = i / 32;
    const int col = i % 32;
    if (result[i] != 4 - (row == 0) - (row == 31) - (col == 0) - (col == 31)) return 1;
  }
  return 0;
}
