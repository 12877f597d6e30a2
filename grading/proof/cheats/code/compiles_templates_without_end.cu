// A cheat for 01a: has the compiler make templates of templates, twice as many each time.
// expected: does not compile

#include "check.hpp"

template <int depth, int way>
struct Tree {
  static constexpr int count =
      Tree<depth - 1, 2 * way>::count + Tree<depth - 1, 2 * way + 1>::count;
};
template <int way>
struct Tree<0, way> {
  static constexpr int count = 1;
};
constexpr int many = Tree<28, 0>::count;

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
