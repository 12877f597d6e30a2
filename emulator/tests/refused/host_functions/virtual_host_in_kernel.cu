// A virtual function of the host's.
// reported by: clang
struct Shape {
  virtual int corners() { return 4; }
};
__global__ void ask(Shape* shape, int* x) {
  // refused: a kernel cannot call 'corners', which is a __host__ function; one of
  x[0] = shape->corners();
}
int main() {}
