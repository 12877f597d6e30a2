// An argument in braces becomes what the kernel's parameter is.
#include <cuda_runtime.h>

#include <initializer_list>

struct Pair {
  int a, b;
};
struct Point {
  Point(float x, float y) : sum(x + y) {}
  float sum;
};

__global__ void k(int* p, Pair q) {
  *p = q.a + q.b;
}
template <class T>
__global__ void each(T* p, Pair q, const Point r, dim3 s) {
  *p = q.a + static_cast<T>(r.sum) + s.y;
}
namespace inner {
__global__ void empty(Pair q) {}
}  // namespace inner

void f(int* p, int n) {
  k<<<1, 2>>>(p, {1, 2});
  k<<<1, 2>>>(nullptr, {n, n + 1});
  k<<<dim3{1, 1}, dim3{1}>>>(p, Pair{1, 2});
  each<int><<<1, 1, 0, nullptr>>>(p, {n, 2}, {1.0F, 2.0F}, {1, 2, 3});
  inner::empty<<<1, 1>>>({});
  [&] { inner::empty<<<1, 1>>>({1}); }();
}
int main() {}
