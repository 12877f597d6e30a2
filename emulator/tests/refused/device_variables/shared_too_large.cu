// A block's static shared memory is 48 KB at most.
__global__ void reverse(float* x) {
  // refused: a block's static __shared__ variables are 48 KB at most; more has to
  __shared__ float tile[20 * 1024];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
int main() {}
