#define main chapter_11_main  // not the main() of the bench
#include "transpose.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

template <class E>
std::vector<Competitor> make_competitors(int m, int n) {
  const auto matrices = std::make_shared<DeviceMatrices<E>>(m, n);
  std::vector<Competitor> all;
  for (const TransposeRung<E>& rung : rungs<E>) {
    if (!rung.takes(m, n)) continue;
    all.push_back({full_name(rung), [=] { matrices->poison(); },
                   [=] {
                     rung.launch({matrices->a(), matrices->b(), m, n});
                   },
                   [=] { return matrices->verify(rung.transposes); }});
  }
  return all;
}

template <class E>
void add(Registry& registry, int m, int n) {
  const double bytes = 1.0 * m * n * sizeof(E);
  registry.add(Problem{"11_transpose", static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                       2 * bytes, 0, "copy", 1e6, 2.1 * bytes, full_name(rungs<E>.front()),
                       [=] { return make_competitors<E>(m, n); }});
}

}  // namespace

void add_chapter_11(Registry& registry) {
  // From what fits in the level-2 cache to 4 GiB per matrix; multiples of nothing; tall and flat.
  for (const auto& [m, n] : {std::pair{1024, 1024},
                             {8192, 8192},
                             {16384, 16384},
                             {32768, 32768},
                             {16383, 16381},
                             {100000, 1000},
                             {1000, 100000}}) {
    add<float>(registry, m, n);
    add<TwoBytes>(registry, m, n);
  }
}

}  // namespace course::measure
