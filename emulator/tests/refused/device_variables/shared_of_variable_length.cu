// So must that of a shared array.
// reported by: g++
__global__ void fill(int* x, int n) {
  // refused: storage size of 'tile' isn't constant
  __shared__ int tile[n];
  tile[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = tile[threadIdx.x];
}
int main() {}
