// The same with a template.
template <class T>
__global__ void fill(T* x, T value) {
  x[threadIdx.x] = value;
}
int main() {
  float* x = nullptr;
  cudaMalloc(&x, 128);
  // refused: a kernel is launched, not called: write fill<<<blocks, threads>>>(...)
  fill<float>(x, 1);
  cudaFree(x);
}
