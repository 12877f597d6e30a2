// The host calls a __device__ function.
// reported by: clang
__device__ int next(int x) {
  return x + 1;
}
int main() {
  // refused: the host cannot call 'next', which is a __device__ function; one of
  return next(-1);
}
