// Not even of the class itself.
struct Filter {
  // refused: a __global__ function cannot be a member of a class
  static __global__ void run(int* x) { x[0] = 1; }
};
int main() {}
