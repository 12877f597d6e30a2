// A kernel reads a variable of the host.
// reported by: clang
float factor = 2;
__global__ void scale(float* x) {
  // refused: 'factor' is a variable of the host, which a kernel cannot use: pass it
  x[threadIdx.x] *= factor;
}
int main() {}
