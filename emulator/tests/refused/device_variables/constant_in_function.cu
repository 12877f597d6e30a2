// A __constant__ variable is declared outside functions.
__global__ void fill(int* x) {
  // refused: a __constant__ variable must be declared outside functions
  __constant__ int c[3];
  x[0] = c[threadIdx.x];
}
int main() {}
