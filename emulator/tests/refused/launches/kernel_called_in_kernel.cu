// Nor does a kernel call a kernel.
__global__ void child(float* x) {
  x[0] = 1;
}
__global__ void parent(float* x) {
  // refused: a kernel is launched, not called: write child<<<blocks,
  child(x);
}
int main() {}
