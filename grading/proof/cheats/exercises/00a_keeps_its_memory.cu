// A cheat for 00a: device memory is kept from call to call, and freed only as the program ends.
// expected: correct 6, safe 0, efficient 2
// told: leak

#include "check.hpp"

__global__ void change_kernel(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) changes[i] = series[i + 1] - series[i];
}

class Kept {
 public:
  ~Kept() {
    if (memory_ != nullptr) cudaFree(memory_);
  }
  float* get(size_t count) {
    if (count > count_) {
      if (memory_ != nullptr) CUDA_CHECK(cudaFree(memory_));
      CUDA_CHECK(cudaMalloc(&memory_, count * sizeof(float)));
      count_ = count;
    }
    return memory_;
  }

 private:
  float* memory_ = nullptr;
  size_t count_ = 0;
};
static Kept kept_series;
static Kept kept_changes;

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  float* const d_series = kept_series.get(n);
  float* const d_changes = kept_changes.get(n);
  CUDA_CHECK(cudaMemcpy(d_series, series, n * sizeof(float), cudaMemcpyHostToDevice));
  change_kernel<<<(n + 254) / 256, 256>>>(d_series, d_changes, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, d_changes, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost));
}
