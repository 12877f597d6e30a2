// A kernel writes to a stream of the host.
// reported by: clang
#include <cstdio>
__global__ void tell(int* x) {
  // refused: 'stderr' is a variable of the host, which a kernel cannot use: pass it
  fprintf(stderr, "%d\n", x[0]);
}
int main() {}
