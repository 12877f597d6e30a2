// A pointer to what must not be written.
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
void start(const int* x) {
  // refused: the arguments of this launch do not fit the kernel's parameters
  fill<<<1, 32>>>(x);
}
int main() {}
