// A kernel writes to std::cout.
// reported by: clang
#include <iostream>
__global__ void tell(int* x) {
  // refused: 'cout' is a variable of the host, which a kernel cannot use: pass it
  std::cout << x[0];
}
int main() {}
