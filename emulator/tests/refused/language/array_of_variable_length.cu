// An array's length must be known.
// reported by: clang
__global__ void fill(int* x, int n) {
  // refused: an array's length must be a constant in a kernel and in a __device__
  int scratch[n];
  for (int i = 0; i < n; ++i) scratch[i] = i;
  x[threadIdx.x] = scratch[n - 1];
}
int main() {}
