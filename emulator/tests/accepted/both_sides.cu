// A function of both sides may call one of the host: nvcc only warns.
int host(int x) {
  return x;
}
__host__ __device__ int both(int x) {
#ifdef __CUDA_ARCH__
  return x;
#else
  if (x < 0) throw 1;
  return host(x);
#endif
}
__global__ void use(int* x) {
  x[0] = both(1);
}
int main() {
  return both(2);
}
