// A kernel's type is written, and void.
// refused: a __global__ function returns nothing: its type must be void
__global__ auto fill(int* x) {
  x[threadIdx.x] = 1;
}
int main() {}
