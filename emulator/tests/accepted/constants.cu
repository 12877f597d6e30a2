// Constants of the host that are numbers.
constexpr int three = 3;
const int five = 5;
constexpr float half = 0.5F;
struct Sizes {
  static constexpr int rows = 4;
};
__constant__ float weights[3] = {1, 2, 3};
__constant__ int count;
__device__ int total = 7;
__managed__ int shown;
__global__ void use(float* x) {
  constexpr int width = 2 * three;
  float scratch[width] = {};
  x[0] = scratch[1] + half * five + min(Sizes::rows, three) + weights[threadIdx.x % 3] + count;
  const bool same = count == 3;
  total += same;
  shown = 1;
}
int main() {
  int n = 2;
  cudaMemcpyToSymbol(count, &n, sizeof n);
  return shown;
}
