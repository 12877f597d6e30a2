#define main chapter_01_main  // not the main() of the bench
#include "global.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_01(Registry& registry) {
  registry.add({"01_global", "global", Layout::row_major, launch_global});
}

}  // namespace course::measure
