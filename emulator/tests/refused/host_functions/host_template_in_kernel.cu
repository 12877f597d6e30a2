// A template of the host's in a kernel.
template <class T>
T third(T x) {
  return x / 3;
}
__global__ void fill(float* x) {
  // refused: a kernel cannot call 'third', which is a __host__ function; one of
  x[threadIdx.x] = third(x[threadIdx.x]);
}
int main() {}
