// A kernel does not wait for itself.
__global__ void k(int* p) {
  // refused: a kernel cannot call 'cudaDeviceSynchronize', which is a function of the host's
  cudaDeviceSynchronize();
}
int main() {}
