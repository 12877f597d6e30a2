// blockDim.x is known when the kernel runs, no sooner.
// reported by: g++
__global__ void fill(int* x) {
  // refused: storage size of 'tile' isn't constant
  __shared__ int tile[blockDim.x];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
int main() {}
