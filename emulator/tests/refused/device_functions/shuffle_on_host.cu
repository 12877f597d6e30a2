// The host shuffles.
// reported by: clang
int main() {
  // refused: the host cannot call '__shfl_sync', which is a __device__ function;
  return __shfl_sync(0xFFFFFFFF, 0, 0);
}
