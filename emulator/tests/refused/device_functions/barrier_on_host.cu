// The host waits at a barrier of a block.
// reported by: clang
int main() {
  // refused: the host cannot call '__syncthreads', which is a __device__ function;
  __syncthreads();
}
