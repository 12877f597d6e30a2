// 48 KB is allowed, and more if it is dynamic.
template <int N>
__device__ float sum(const float (&x)[N]) {
  __shared__ float tile[N];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  return tile[0] + tile[N - 1];
}
__global__ void reverse(float* x) {
  __shared__ float tile[12 * 1024];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void more(float* x) {
  extern __shared__ float dynamic[];
  __shared__ struct { int a, b; } pair;
  pair.a = 1;
  dynamic[threadIdx.x] = x[threadIdx.x];
  float scratch[32] = {};
  x[threadIdx.x] = sum(scratch) + dynamic[0] + pair.a;
}
int main() {
  more<<<1, 32, 60 * 1024>>>(nullptr);
}
