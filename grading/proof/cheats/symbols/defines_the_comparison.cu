// A cheat for 01a: brings its own functions of the names that compare results.
// expected: 0 points

#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"

namespace course::exercise {
class Run;
void expect_exact(const std::vector<float>&, const std::vector<double>&, std::size_t, std::size_t,
                  const std::string&) {}
void expect_no_findings() {}
void expect_intact(bool, const std::string&, const std::string&) {}
}  // namespace course::exercise

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
