// All arrays of a kernel count.
template <int N>
__global__ void product(float* x) {
  __shared__ float a[N][N];
  // refused: a block's static __shared__ variables are 48 KB at most; more has to
  __shared__ float b[N][N];
  a[threadIdx.y][threadIdx.x] = b[threadIdx.x][threadIdx.y] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = a[threadIdx.x][threadIdx.y] + b[threadIdx.y][threadIdx.x];
}
int main() {
  product<96><<<1, 1>>>(nullptr);
}
