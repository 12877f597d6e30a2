// A kernel calls a function of the host.
float half_of(float x) {
  return x / 2;
}
__global__ void halve(float* x) {
  // refused: a kernel cannot call 'half_of', which is a __host__ function; one of
  x[threadIdx.x] = half_of(x[threadIdx.x]);
}
int main() {}
