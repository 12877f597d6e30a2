// A kernel calls a lambda of the host's.
// reported by: clang
auto square = [](int x) { return x * x; };
__global__ void fill(int* x) {
  // refused: 'square' is a variable of the host, which a kernel cannot use: pass it
  x[threadIdx.x] = square(x[threadIdx.x]);
}
int main() {}
