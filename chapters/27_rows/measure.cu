#define main chapter_27_main  // not the main() of the bench
#include "rows.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {
namespace {

using rows::Bf16;
using rows::Case;
using rows::Cases;

// Names have the type, since a shape has results of both.
template <class T>
std::string named(const std::string& kernel) {
  return kernel + (sizeof(T) == 4 ? ", FP32" : "");
}

template <class T>
std::vector<Competitor> competitors(const std::vector<Case>& cases, std::size_t elements) {
  std::vector<Competitor> all;
  for (const Case& one : cases) {
    all.push_back({named<T>(one.name), one.poison, one.launch, [=] { return one.verify(); },
                   static_cast<double>(one.matrices) * static_cast<double>(elements * sizeof(T))});
  }
  return all;
}

// Softmax and both norms by the best kernels, and by one that fits any row; or all that there is.
template <class T>
std::vector<Competitor> make(std::size_t m, std::size_t n, bool everything) {
  const Cases<T> cases(std::make_shared<rows::Data<T>>(m, n, 1, everything));
  std::vector<Case> chosen;
  for (Case& rung : cases.softmax_rungs()) {
    if (everything || rung.name == "ours" || rung.name == "16 bytes") chosen.push_back(rung);
  }
  if (everything) {
    for (Case& other : cases.others()) chosen.push_back(other);
  } else {
    for (Case& norm : cases.norms()) {
      if (norm.matrices == 2) chosen.push_back(norm);
    }
  }
  for (Case& norm : cases.norms_in_two_passes()) chosen.push_back(norm);
  return competitors<T>(chosen, m * n);
}

template <class T>
void add_shape(Registry& registry, std::size_t m, std::size_t n, bool everything = false) {
  const double matrix = static_cast<double>(m * n * sizeof(T));
  registry.add(Problem{"27_rows", m, n, 2 * matrix, 0, "copy", (everything ? 4 : 2.5) * matrix,
                       (everything ? 4.5 : 2.5) * matrix, named<T>("16 bytes"),
                       [=] { return make<T>(m, n, everything); }});
}

}  // namespace

void add_chapter_27(Registry& registry) {
  // All kernels at one shape, then matrices of 256 MiB and more with shorter and longer rows, and
  // with rows that begin at no multiple of 16 bytes.
  add_shape<Bf16>(registry, 32768, 4096, true);
  constexpr std::size_t elements = std::size_t{1} << 27;
  for (const std::size_t n : {1024, 2048, 4095, 8192, 16384, 32768, 32767, 65536, 131072}) {
    add_shape<Bf16>(registry, elements / n, n);
  }
  add_shape<Bf16>(registry, 8192, 131072);
  for (const std::size_t n : {1024, 4096, 4095, 8192, 16384, 32768, 65536, 131072}) {
    add_shape<float>(registry, elements / n, n);
  }
}

}  // namespace course::measure
