// A cheat for 01a: includes the model solution wherever it may be found.
// expected: 0 points

#include "check.hpp"

#if __has_include("@SOURCE@/solutions/01a_residual/residual.cu")
#include "@SOURCE@/solutions/01a_residual/residual.cu"
#elif __has_include("../../solutions/01a_residual/residual.cu")
#include "../../solutions/01a_residual/residual.cu"
#elif __has_include("../solutions/01a_residual/residual.cu")
#include "../solutions/01a_residual/residual.cu"
#elif __has_include("/proc/self/cwd/solutions/01a_residual/residual.cu")
#include "/proc/self/cwd/solutions/01a_residual/residual.cu"
#else
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
#endif
