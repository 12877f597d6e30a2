// A kernel knows no types at run time.
#include <typeinfo>
__global__ void compare(int* x) {
  // refused: 'typeid' does not work on a GPU: device code knows no types at run
  x[0] = typeid(x) == typeid(int*);
}
int main() {}
