// An array that is constexpr is one of the host's all the same.
constexpr float weights[3] = {1, 2, 3};
__global__ void scale(float* x) {
  // refused: 'weights' is an array of the host, which a kernel cannot use: declare
  x[threadIdx.x] *= weights[threadIdx.x % 3];
}
int main() {}
