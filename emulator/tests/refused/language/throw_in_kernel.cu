// A kernel throws nothing.
__global__ void check(const int* x) {
  // refused: 'throw' does not work on a GPU: device code has no exceptions
  if (x[0] < 0) throw 1;
}
int main() {}
