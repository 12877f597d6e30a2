#define main chapter_06_main  // not the main() of the bench
#include "../../chapters/06_unroll/unroll.cu"
#undef main

#include <memory>

#include "registry.hpp"

namespace course::measure {

void add_chapter_06(Registry& registry) {
  registry.add({"06_unroll", "unroll", Layout::column_major, launch_unroll});
  registry.add({"06_unroll", "rows", Layout::column_major, launch_rows});
  registry.add({"06_unroll", "float4", Layout::column_major, launch_float4});
  registry.add({"06_unroll", "split warps", Layout::column_major, launch_split_warps});
  registry.add({"06_unroll", "split atomics", Layout::column_major, launch_split_atomics});
  // Room for the partial sums grows in a shape's first launch, which is never a timed one.
  const auto room = std::make_shared<std::unique_ptr<DeviceArray<float>>>();
  registry.add({"06_unroll", "split two passes", Layout::column_major,
                [room](const float* A, const float* x, float* y, int m, int n) {
                  const std::size_t wanted = std::size_t{split_columns(m, n).grid.y} * m;
                  if (*room == nullptr || (*room)->size() < wanted) {
                    *room = std::make_unique<DeviceArray<float>>(wanted);
                  }
                  launch_split_two_passes(A, x, **room, y, m, n);
                }});
  registry.add({"06_unroll", "warp a row", Layout::row_major, launch_warp_a_row});
  registry.add({"06_unroll", "warp a row, float4", Layout::row_major, launch_warp_a_row_float4});
  registry.add({"06_unroll", "block a row", Layout::row_major, launch_block_a_row});
}

}  // namespace course::measure
