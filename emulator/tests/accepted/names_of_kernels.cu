// A name that is a kernel's, and something else's elsewhere.
namespace gpu {
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
}  // namespace gpu
struct Table {
  int* x;
  void fill(int n) { x[0] = n; }
  void start() { fill(3); }
};
template <class T>
__global__ void copy(T* x);
template <class T>
__global__ void copy(T* x) {
  x[0] = x[1];
}
template __global__ void copy<float>(float*);
template __global__ void copy<int>(int*);
int main() {
  gpu::fill<<<1, 32>>>(nullptr);
  void (*kernel)(int*) = copy<int>;
  kernel<<<1, 32>>>(nullptr);
}
