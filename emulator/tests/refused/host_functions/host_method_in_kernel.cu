// A kernel calls a member function without __device__.
// reported by: clang
struct Range {
  int begin, end;
  int size() const { return end - begin; }
};
__global__ void measure(Range r, int* x) {
  // refused: a kernel cannot call 'size', which is a __host__ function; one of
  x[0] = r.size();
}
int main() {}
