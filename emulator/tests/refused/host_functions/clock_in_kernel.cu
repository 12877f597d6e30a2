// A kernel asks the host for the time.
// reported by: clang
#include <chrono>
__global__ void stamp() {
  // refused: a kernel cannot call 'now', which is a __host__ function; one of yours
  std::chrono::steady_clock::now();
}
int main() {}
