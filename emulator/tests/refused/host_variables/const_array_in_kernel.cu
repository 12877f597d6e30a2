// A const array is one of the host's as well.
const float weights[3] = {0.25F, 0.5F, 0.25F};
__global__ void scale(float* x) {
  // refused: 'weights' is an array of the host, which a kernel cannot use: declare
  x[threadIdx.x] *= weights[threadIdx.x % 3];
}
int main() {}
