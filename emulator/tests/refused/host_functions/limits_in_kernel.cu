// Nor the members of std::numeric_limits, which are functions.
// reported by: clang
#include <limits>
__global__ void start(float* x) {
  // refused: a kernel cannot call 'max', which is a __host__ function; one of yours
  x[threadIdx.x] = std::numeric_limits<float>::max();
}
int main() {}
