// Not all of the C library is there.
// reported by: clang
#include <cstring>
__global__ void length(int* x, const char* text) {
  // refused: a kernel cannot call 'strlen', which is a __host__ function; one of
  x[0] = static_cast<int>(strlen(text));
}
int main() {}
