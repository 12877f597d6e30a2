// A __device__ function calls a function of the host.
// reported by: clang
#include <cstdio>
int limit(int x) {
  return x > 7 ? 7 : x;
}
__device__ int limited(int x) {
  // refused: a __device__ function cannot call 'limit', which is a __host__
  return limit(x) + 1;
}
__global__ void fill(int* x) {
  x[threadIdx.x] = limited(x[threadIdx.x]);
}
int main() {}
