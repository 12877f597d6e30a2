// A kernel sorts with the host's library.
// reported by: clang
#include <algorithm>
__global__ void sort(int* x, int n) {
  // refused: a kernel cannot call 'sort', which is a __host__ function; one of
  std::sort(x, x + n);
}
int main() {}
