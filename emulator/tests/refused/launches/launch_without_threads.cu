// A launch says how many blocks and threads.
// reported by: g++
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
int main() {
  // refused: no matching function for call to
  fill<<<>>>(nullptr);
}
