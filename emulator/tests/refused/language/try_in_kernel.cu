// And catches nothing.
__device__ int risky(int x) {
  return x + 1;
}
__global__ void check(int* x) {
  // refused: 'try' does not work on a GPU: device code has no exceptions
  try {
    x[0] = risky(x[0]);
  } catch (...) {
    x[0] = 0;
  }
}
int main() {}
