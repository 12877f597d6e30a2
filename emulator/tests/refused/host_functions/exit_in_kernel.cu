// A kernel does not end the program.
// reported by: clang
#include <cstdlib>
__global__ void check(const int* x) {
  // refused: a kernel cannot call 'exit', which is a __host__ function; one of
  if (x[0] < 0) exit(1);
}
int main() {}
