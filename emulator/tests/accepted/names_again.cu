// Names of the host's that a kernel's parameters, or its variables, have again.
const int steps[] = {4, 2, 1};
__constant__ int width;
static int twice(int x) {
  return 2 * x;
}
__global__ void use(int* x, const int* __restrict__ steps, int width, int twice) {
  width += twice;
  x[threadIdx.x] = steps[threadIdx.x % 3] + width;
}
int main() {
  return twice(steps[0]) == 8 ? 0 : 1;
}
