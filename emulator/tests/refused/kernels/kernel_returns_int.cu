// A kernel returns nothing.
// refused: a __global__ function returns nothing: its type must be void
__global__ int answer(int* x) {
  x[0] = 42;
  return 42;
}
int main() {}
