// std::move and std::forward are nvcc's as well.
#include <utility>
__global__ void move(int* x) {
  int y = std::move(x[0]);
  x[1] = y;
}
int main() {}
