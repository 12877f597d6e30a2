// A kernel calls a function of the C library that a GPU does not have.
// reported by: clang
#include <cstdlib>
__global__ void noise(int* x) {
  // refused: a kernel cannot call 'rand', which is a __host__ function; one of
  x[threadIdx.x] = rand();
}
int main() {}
