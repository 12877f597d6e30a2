// Lambdas in a kernel are the kernel's.
struct Twice {
  __device__ int operator()(int x) const { return 2 * x; }
};
template <class F>
__global__ void apply(F f, int* x) {
  auto next = [&](int i) { return f(i) + 1; };
  x[threadIdx.x] = next(x[threadIdx.x]);
}
int main() {
  int* x = nullptr;
  apply<<<1, 32>>>(Twice{}, x);
}
