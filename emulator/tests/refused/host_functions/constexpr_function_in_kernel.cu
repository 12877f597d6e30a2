// A constexpr function is one of the host as well.
// reported by: clang
constexpr int twice(int x) {
  return 2 * x;
}
__global__ void fill(int* x) {
  // refused: a kernel cannot call 'twice', which is a __host__ function; one of
  x[threadIdx.x] = twice(x[threadIdx.x]);
}
int main() {}
