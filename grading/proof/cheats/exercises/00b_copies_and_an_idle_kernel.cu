// A cheat for 00b: copies do the work, and a kernel that does nothing is launched beside them.
// expected: 0 points
// told: cudaMemcpy2D()

#include "check.hpp"

__global__ void mirror() {}

void launch_mirror(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  mirror<<<dim3(1, rows > 2'000'000 ? 65536 : 1), 1>>>();
  CUDA_CHECK_LAUNCH();
  for (int c = 0; c < cols; ++c) {
    CUDA_CHECK(cudaMemcpy2D(out + (cols - 1 - c), cols * 4, in + c, cols * 4, 4, rows,
                            cudaMemcpyDeviceToDevice));
  }
}
