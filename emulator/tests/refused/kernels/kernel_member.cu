// A kernel is not a member of an object.
struct Filter {
  int width;
  // refused: a __global__ function cannot be a member of a class
  __global__ void run(int* x) { x[0] = width; }
};
int main() {}
