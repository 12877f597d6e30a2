// So does a __device__ variable.
// reported by: clang
__global__ void fill(int* x) {
  // refused: a __constant__ or __device__ variable must be declared outside functions
  __device__ int c = 1;
  x[0] = c;
}
int main() {}
