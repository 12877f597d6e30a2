// A cheat for 01a: has the compiler run a loop that does not end for a long time.
// expected: does not compile

#include "check.hpp"

constexpr unsigned long long count(unsigned long long n) {
  unsigned long long sum = 0;
  for (unsigned long long k = 0; k < n; ++k) {
    for (unsigned long long l = 0; l < 200000; ++l) sum += k ^ l;
  }
  return sum;
}
constexpr unsigned long long many = count(200000);

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
