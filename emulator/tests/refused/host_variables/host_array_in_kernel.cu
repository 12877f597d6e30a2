// A kernel writes an array of the host.
// reported by: clang
int counts[10];
__global__ void count(const int* x) {
  // refused: 'counts' is a variable of the host, which a kernel cannot use: pass it
  counts[x[threadIdx.x]] = 1;
}
int main() {}
