// A std::initializer_list is not a parameter of a kernel.
#include <initializer_list>
// refused: a std::initializer_list cannot be a parameter of a __global__ function
__global__ void sum(std::initializer_list<int> list) {}
int main() {}
