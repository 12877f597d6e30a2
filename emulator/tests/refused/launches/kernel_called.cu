// A kernel is launched, not called.
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
int main() {
  int* x = nullptr;
  cudaMalloc(&x, 128);
  // refused: a kernel is launched, not called: write fill<<<blocks, threads>>>(...)
  fill(x);
  cudaFree(x);
}
