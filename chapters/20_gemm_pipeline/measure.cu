#define main chapter_20_main  // not the main() of the bench
#include "gemm_pipeline.cu"
#undef main

#include "registry.hpp"

namespace course::measure {

void add_chapter_20(Registry& registry) {
  for (const GemmRung& kernel : kernels_here()) {
    registry.add(
        GemmKernel{"20_gemm_pipeline", kernel.name, kernel.launch, true, kernel.name == "ours"});
  }
}

}  // namespace course::measure
