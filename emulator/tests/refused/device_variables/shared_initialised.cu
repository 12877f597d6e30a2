// Nobody could initialise it: all threads share it.
__global__ void count(int* x) {
  // refused: a __shared__ variable cannot be initialised: let a thread write it,
  __shared__ int total = 0;
  atomicAdd(&total, x[threadIdx.x]);
  __syncthreads();
  x[threadIdx.x] = total;
}
int main() {}
