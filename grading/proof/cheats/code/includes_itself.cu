// A cheat for 01a: includes itself twice, and so on.
// expected: refused: has #include lines that never end

#include "check.hpp"

#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
