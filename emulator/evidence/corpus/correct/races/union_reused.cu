// correct: like race_overlapping_arrays, but a barrier parts the union's two lives.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

union Room {
  int ints[128];
  char chars[512];
};

__global__ void twice(const int* x, int* y) {
  __shared__ Room room;
  const int t = threadIdx.x;
  room.ints[t] = x[t];
  __syncthreads();
  const int other = room.ints[127 - t];
  __syncthreads();
  room.chars[t] = static_cast<char>(other);
  __syncthreads();
  y[t] = room.chars[127 - t];
}

int main() {
  int values[128];
  int result[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  twice<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != i) return 1;
  }
  return 0;
}
