// A kernel does not copy as the host does.
__global__ void k(int* p) {
  // refused: a kernel cannot call 'cudaMemcpy', which is a function of the host's
  cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice);
}
int main() {}
