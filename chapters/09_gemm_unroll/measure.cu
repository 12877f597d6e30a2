#define main chapter_09_main  // not the main() of the bench
#include "gemm_unroll.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_09(Registry& registry) {
  for (const GemmRung& kernel : kernels) {
    registry.add(GemmKernel{"09_gemm_unroll", kernel.name, kernel.launch});
  }
}

}  // namespace course::measure
