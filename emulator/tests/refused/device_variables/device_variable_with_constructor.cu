// A variable of the device must be known when the program is compiled.
// reported by: clang
#include <cstdlib>
int start() {
  return 3;
}
// refused: a variable of the device needs an initial value that is known when it
__device__ int first = start();
int main() {}
