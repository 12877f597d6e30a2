// Both lengths must be known.
// reported by: clang
__global__ void fill(float* x, int n) {
  // refused: an array's length must be a constant in a kernel and in a __device__
  float rows[3][n];
  rows[1][0] = x[0];
  x[1] = rows[1][0];
}
int main() {}
