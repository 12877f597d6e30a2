#define main chapter_29_main  // not the main() of the bench
#include "fp32_on_tensor_cores.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

using fp32::AccuracyProblem;
using fp32::Rung;

Competitor competitor(const std::shared_ptr<AccuracyProblem>& problem, const Rung& rung,
                      std::size_t k) {
  return {rung.name, [=] { problem->poison(); }, [=] { problem->launch(rung.launch); },
          [=] { return fp32::verdict(*problem, rung.bound(k)); }};
}

enum class Which { all, fast, best };

std::vector<Competitor> competitors(int m, int n, int k, Which which) {
  const auto problem = std::make_shared<AccuracyProblem>(fp32::Kind::normal, m, n, k, 1);
  std::vector<Competitor> all;
  const auto terms = static_cast<std::size_t>(k);
  for (const Rung& rung : fp32::rungs_here(which != Which::all, which == Which::fast)) {
    if (which == Which::best && rung.name != "ours" && rung.name != "cuBLAS") continue;
    all.push_back(competitor(problem, rung, terms));
  }
  return all;
}

void add_shape(Registry& registry, std::size_t m, std::size_t n, std::size_t k, Which which) {
  const Work work = gemm_work(m, n, k);
  registry.add(Problem{"29_fp32_on_tensor_cores", m, n, work.bytes, work.operations, "fma", 1e6,
                       3 * work.bytes, "cuBLAS",
                       [=] {
                         return competitors(static_cast<int>(m), static_cast<int>(n),
                                            static_cast<int>(k), which);
                       },
                       k});
}

// A product with at least 4e9 operations.
Problem drawn(int number, std::uint64_t seed) {
  const RandomBits bits(seed);
  const auto draw = [&](int which) {
    const auto share = static_cast<double>(bits(8U * number + which) >> 32) * 0x1p-32;
    return static_cast<std::size_t>(std::exp2(8.0 + 6.0 * share));
  };
  std::size_t m = draw(0);
  std::size_t n = draw(1);
  const std::size_t k = std::max(draw(2), static_cast<std::size_t>(2e9) / (m * n) + 1);
  const Work work = gemm_work(m, n, k);
  return {"29_fp32_on_tensor_cores",
          m,
          n,
          work.bytes,
          work.operations,
          "fma",
          1e6,
          3 * work.bytes,
          "cuBLAS",
          [=] {
            return competitors(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
                               Which::best);
          },
          k};
}

}  // namespace

void add_chapter_29(Registry& registry) {
  if (!on_emulator && device().compute_capability < 80) return;
  add_shape(registry, 4096, 4096, 4096, Which::all);
  add_shape(registry, 8192, 8192, 8192, Which::fast);
  add_shape(registry, 4095, 4097, 4093, Which::best);
  add_shape(registry, 2048, 2048, 2048, Which::best);
  add_shape(registry, 16384, 16384, 16384, Which::best);
  registry.add(DrawnProblems{"29_fp32_on_tensor_cores", drawn});
}

}  // namespace course::measure
