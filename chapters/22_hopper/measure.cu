#define main chapter_22_main  // not the main() of the bench
#include "hopper.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

struct Bench22 {
  Bench22(const Options& options)
      : problem(Data::random, options.rows, options.cols, options.inner, 1), on(problem, options) {}
  hopper::Problem problem;
  hopper::OnDevice on;
};

// The first rungs where they do not take long, `ours` and the library everywhere.
void add_shape(Registry& registry, std::size_t m, std::size_t n, std::size_t k, bool all = false) {
  Work work = gemm_work(m, n, k);
  work.bytes /= 2;  // of floats
  Options options;
  options.rows = m;
  options.cols = n;
  options.inner = k;
  const auto make = [=] {
    const auto bench = std::make_shared<Bench22>(options);
    std::vector<Competitor> competitors;
    for (const hopper::Rung& rung : hopper::rungs_here(options, false)) {
      if (!all && !rung.takes_any_rows) continue;
      competitors.push_back({rung.name, [=] { bench->on.C.poison(); },
                             [=] { rung.launch(bench->on.product); },
                             [=] { return bench->problem.verify(bench->on.C.to_host()); }});
    }
    return competitors;
  };
  registry.add(measure::Problem{"22_hopper", m, n, work.bytes, work.operations, "wgmma BF16",
                                8.0 * work.bytes, 2.2 * work.bytes, "cuBLAS", make, k});
}

}  // namespace

void add_chapter_22(Registry& registry) {
  if (!on_emulator && device().compute_capability != 90) return;
  registry.add(OwnCeiling{"22_hopper", "wgmma BF16", [](const Options& options) {
                            return hopper::measure_peak(options).ceiling();
                          }});
  const auto launcher = [](void (*launch)(const hopper::Product&)) {
    return [=](const std::uint16_t* A, const std::uint16_t* B, std::uint16_t* C, int m, int n,
               int k) {
      launch({reinterpret_cast<const hopper::Bf16*>(A), reinterpret_cast<const hopper::Bf16*>(B),
              reinterpret_cast<hopper::Bf16*>(C), m, n, k, k, n, n});
    };
  };
  registry.add(ShortGemmKernel{"22_hopper", "ours", "wgmma BF16", launcher(hopper::launch_ours),
                               launcher(hopper::launch_cublas),
                               launcher(hopper::launch_exact_cublas)});
  for (const std::size_t size : {1024, 2048, 4096, 6144, 8192, 12288}) {
    add_shape(registry, size, size, size, size == 4096 || size == 8192);
  }
  add_shape(registry, 8192, 1024, 4096);
  add_shape(registry, 4096, 14336, 4096);
  add_shape(registry, 512, 8192, 8192);
  add_shape(registry, 4095, 4097, 4093);
  add_shape(registry, 4100, 4100, 4100);  // rows aligned to 8 bytes
  add_shape(registry, 2000, 3001, 5003);
}

}  // namespace course::measure
