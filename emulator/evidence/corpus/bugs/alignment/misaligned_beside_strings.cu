// bug: misaligned
// where: const float4 four = *reinterpret_cast<const float4*>(row + 4 * i)
// Rows of 33 elements are read four by four, from two lines of the kernel. The host code is full of
// strings, whose functions the emulator's own strings then share.
#include <cuda_runtime.h>

#include <string>
#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add_rows(const float* x, float* y, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* const row = x + r * 33;
  float sum = row[32];
  for (int i = 0; i < 8; ++i) {
    const float4 four = *reinterpret_cast<const float4*>(row + 4 * i);
    sum += four.x + four.y + four.z + four.w;
  }
  y[r] = sum;
}

int main() {
  constexpr int rows = 200;
  std::vector<std::string> names;
  for (int r = 0; r < rows; ++r) {
    std::string name = "row " + std::to_string(r);
    if (const std::size_t at = name.find("ow"); at != std::string::npos) name.erase(at, 1);
    names.push_back(name + ", summed up");
  }
  float* x = nullptr;
  float* y = nullptr;
  CHECK(cudaMalloc(&x, rows * 33 * sizeof(float)));
  CHECK(cudaMalloc(&y, rows * sizeof(float)));
  CHECK(cudaMemset(x, 0, rows * 33 * sizeof(float)));
  add_rows<<<(rows + 127) / 128, 128>>>(x, y, rows);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  CHECK(cudaFree(x));
  return names.back().size() > 5 ? 0 : 1;
}
