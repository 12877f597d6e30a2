// A launch with an argument too few.
__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
int main() {
  // refused: the arguments of this launch do not fit the kernel's parameters
  fill<<<1, 32>>>(nullptr);
}
