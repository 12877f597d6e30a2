// A kernel promises nothing about exceptions.
// refused: a __global__ function cannot be 'noexcept'
__global__ void fill(int* x) noexcept {
  x[threadIdx.x] = 1;
}
int main() {}
