// Nor those of std::array.
// reported by: clang
#include <array>
__global__ void fill(int* x) {
  std::array<int, 3> a{};
  // refused: a kernel cannot call this operator, which is a __host__ function; one
  x[0] = a[threadIdx.x];
}
int main() {}
