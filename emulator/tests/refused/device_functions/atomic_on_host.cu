// The host calls an atomic function of the device.
// reported by: clang
int main() {
  int x = 0;
  // refused: the host cannot call 'atomicAdd', which is a __device__ function; one
  atomicAdd(&x, 1);
}
