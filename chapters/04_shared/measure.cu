#define main chapter_04_main  // not the main() of the bench
#include "shared.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_04(Registry& registry) {
  registry.add({"04_shared", "shared", Layout::column_major,
                [](const float* A, const float* x, float* y, int m, int n) {
                  launch_shared(A, x, y, m, n, 128);
                }});
}

}  // namespace course::measure
