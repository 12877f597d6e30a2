#define main chapter_02_main  // not the main() of the bench
#include "coalesced.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_02(Registry& registry) {
  registry.add({"02_coalesced", "coalesced", Layout::column_major, launch_coalesced});
}

}  // namespace course::measure
