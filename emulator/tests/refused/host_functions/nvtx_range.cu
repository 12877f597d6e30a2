// reported by: clang
// NVTX marks what the host does.
#include <nvtx3/nvToolsExt.h>

__global__ void marked(float* x) {
  // refused: a kernel cannot call 'nvtxRangePushA', which is a __host__ function
  nvtxRangePushA("inside");
  x[threadIdx.x] = 1.0F;
}
