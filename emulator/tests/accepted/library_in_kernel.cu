// What a GPU has of the C library.
#include <cassert>
#include <cstdio>
__global__ void use(float* x) {
  assert(x[0] > 1);
  printf("%f\n", x[0]);
  memcpy(x, x + 1, 4);
  memset(x, 0, 4);
  int* const p = static_cast<int*>(malloc(4));
  free(p);
  int* const q = new int[3];
  delete[] q;
  x[1] = static_cast<float>(clock());
}
int main() {}
