// A function that a kernel may call throws nothing.
__host__ __device__ int checked(int x) {
  // refused: 'throw' does not work on a GPU: device code has no exceptions
  if (x < 0) throw 1;
  return x;
}
int main() {}
