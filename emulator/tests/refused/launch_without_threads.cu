// A launch says how many blocks and threads.
// told by: g++
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
int main() {
  // refused: no matching function for call to
  fill<<<>>>(nullptr);
}
