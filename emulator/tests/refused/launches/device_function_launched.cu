// A __device__ function is not a kernel.
// reported by: clang
__device__ void fill(int* x) {
  x[0] = 1;
}
int main() {
  // refused: only a __global__ function can be launched with <<<...>>>
  fill<<<1, 32>>>(nullptr);
}
