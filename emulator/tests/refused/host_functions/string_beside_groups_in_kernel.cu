// The emulator's header includes the host's string: that leaves it the host's.
// reported by: clang
#include <cooperative_groups.h>

#include <string>

namespace groups = cooperative_groups;

__global__ void make() {
  groups::this_thread_block().sync();
  // refused: a kernel cannot call the constructor of 'std::string', which is a
  std::string s("abc");
}

int main() {}
