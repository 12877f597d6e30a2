// An argument of another type.
__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
int main() {
  float* y = nullptr;
  // refused: the arguments of this launch do not fit the kernel's parameters
  fill<<<1, 32>>>(y, 1);
}
