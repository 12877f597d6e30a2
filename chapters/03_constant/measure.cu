#define main chapter_03_main  // not the main() of the bench
#include "constant.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_03(Registry& registry) {
  // The second in smaller batches than necessary, as in the chapter.
  const auto batches_of = [](int batch) {
    return [batch](const float* A, const float* x, float* y, int m, int n) {
      launch_constant(A, x, y, m, n, batch);
    };
  };
  registry.add({"03_constant", "constant", Layout::column_major, batches_of(constant_floats)});
  registry.add({"03_constant", "constant, batched", Layout::column_major, batches_of(1024)});
}

}  // namespace course::measure
