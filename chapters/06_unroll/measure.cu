#define main chapter_06_main  // not the main() of the bench
#include "unroll.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_06(Registry& registry) {
  const auto add = [&](const SgemvRung& rung, Layout layout, SgemvLauncher launch) {
    registry.add({"06_unroll", rung.name, layout, std::move(launch),
                  [rung](int m, int n) { return rung.in_flight(m, n); }});
  };
  // The buffer of partial sums grows in a shape's first launch, which is never a timed one.
  const auto room = std::make_shared<std::unique_ptr<DeviceArray<float>>>();
  const auto two_passes = [room](const float* A, const float* x, float* y, int m, int n) {
    const std::size_t wanted = std::size_t{Split(m, n, many_blocks).grid.y} * m;
    if (*room == nullptr || (*room)->size() < wanted) {
      *room = std::make_unique<DeviceArray<float>>(wanted);
    }
    launch_split_two_passes(A, x, **room, y, m, n);
  };
  for (const SgemvRung& rung : column_major_rungs(nullptr)) {
    const bool own_room = rung.name == "split two passes";
    add(rung, Layout::column_major, own_room ? SgemvLauncher(two_passes) : rung.launch);
  }
  for (const SgemvRung& rung : row_major_rungs()) add(rung, Layout::row_major, rung.launch);
}

}  // namespace course::measure
