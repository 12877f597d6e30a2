// A cheat for 01a: has the loader choose what cudaMemcpy is, through an indirect function that
// runs before everything.
// expected: refused: chosen when the program is loaded

#include "check.hpp"

namespace {
cudaError_t do_nothing(void*, const void*, std::size_t, cudaMemcpyKind) {
  return cudaSuccess;
}
}  // namespace

extern "C" {
using Copy = cudaError_t (*)(void*, const void*, std::size_t, cudaMemcpyKind);
Copy choose() {
  return do_nothing;
}
cudaError_t memcpy_of_mine(void*, const void*, std::size_t, cudaMemcpyKind)
    __attribute__((ifunc("choose")));
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  static_cast<void>(memcpy_of_mine(r, b, sizeof(float), cudaMemcpyDeviceToDevice));
}
