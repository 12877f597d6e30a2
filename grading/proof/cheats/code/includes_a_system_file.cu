// A cheat for 01a: includes a file of the machine's, to read it in the compiler's messages.
// expected: does not compile
// not in the report: root:

#include "/etc/passwd"

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
