// A __constant__ variable stands outside of functions.
// told by: g++
__global__ void fill(int* x) {
  // refused: section attribute cannot be specified for local variables
  __constant__ int c[3];
  x[0] = c[threadIdx.x];
}
int main() {}
