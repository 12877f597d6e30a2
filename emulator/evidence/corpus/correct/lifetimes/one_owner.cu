// correct: like free_two_owners, but a moved-from owner has nothing left to free.
#include <cuda_runtime.h>

#include <utility>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

class Vector {
 public:
  explicit Vector(int n) {
    if (cudaMalloc(&data_, n * sizeof(int)) != cudaSuccess) data_ = nullptr;
  }
  Vector(Vector&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Vector& operator=(Vector&&) = delete;
  ~Vector() { cudaFree(data_); }
  int* data() const { return data_; }

 private:
  int* data_ = nullptr;
};

__global__ void fill(int* x) {
  x[threadIdx.x] = threadIdx.x;
}

int main() {
  int values[64];
  Vector first(64);
  const Vector x(std::move(first));
  fill<<<1, 64>>>(x.data());
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x.data(), sizeof(values), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    if (values[i] != i) return 1;
  }
  return 0;
}
