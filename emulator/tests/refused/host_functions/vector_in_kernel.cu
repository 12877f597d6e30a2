// A kernel makes a std::vector.
// reported by: clang
#include <vector>
__global__ void collect() {
  // refused: a kernel cannot call the constructor of 'std::vector<int>', which is a
  std::vector<int> v(3);
}
int main() {}
