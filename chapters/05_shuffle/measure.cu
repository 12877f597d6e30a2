#define main chapter_05_main  // not the main() of the bench
#include "shuffle.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_05(Registry& registry) {
  registry.add({"05_shuffle", "shuffle", Layout::column_major, launch_shuffle});
}

}  // namespace course::measure
