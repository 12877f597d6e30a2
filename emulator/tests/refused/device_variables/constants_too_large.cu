// Constant memory is 64 KB, which all variables share.
__constant__ float half[8192];
// refused: a program's __constant__ variables are 64 KB at most
__constant__ float one_more[8193];

__global__ void fill(float* a) {
  a[threadIdx.x] = half[threadIdx.x] + one_more[threadIdx.x];
}
int main() {}
