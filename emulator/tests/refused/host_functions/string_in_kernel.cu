// A kernel makes a std::string.
// reported by: clang
#include <string>
__global__ void read(const char* text) {
  // refused: a kernel cannot call the constructor of 'std::string', which is a
  std::string s(text);
}
int main() {}
