#define main chapter_00_main  // not the main() of the bench
#include "first_kernel.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_00(Registry& registry) {
  registry.add(SaxpyKernel{"00_first_kernel", "saxpy", launch_saxpy});
  registry.add(SaxpyKernel{"00_first_kernel", "saxpy, float4", launch_saxpy_float4});
}

}  // namespace course::measure
