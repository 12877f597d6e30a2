// An operator is a function as well.
// reported by: clang
struct Pair {
  int a, b;
};
Pair operator+(Pair x, Pair y) {
  return {x.a + y.a, x.b + y.b};
}
__global__ void add(Pair* p) {
  // refused: a kernel cannot call this operator, which is a __host__ function; one
  p[0] = p[0] + p[1];
}
int main() {}
