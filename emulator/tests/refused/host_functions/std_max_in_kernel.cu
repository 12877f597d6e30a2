// A kernel calls std::max, which is constexpr, but a function of the host.
// reported by: clang
#include <algorithm>
__global__ void clamp(float* x) {
  // refused: a kernel cannot call 'max', which is a __host__ function; one of yours
  x[threadIdx.x] = std::max(x[threadIdx.x], 0.0F);
}
int main() {}
