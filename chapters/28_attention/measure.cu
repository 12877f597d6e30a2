#define main chapter_28_main  // not the main() of the bench
#include "attention.cu"
#undef main

#include "measure/registry.hpp"
#include "tensor_cores/wgmma_peak.hpp"

namespace course::measure {
namespace {

using attention::Case;
using attention::Data;
using attention::Shape;

constexpr int tokens = 16384, width = 2048;

// Names say what the numbers of the shape do not.
std::vector<Competitor> competitors(const std::shared_ptr<Data>& data,
                                    const std::vector<Case>& cases) {
  std::vector<Competitor> all;
  for (const Case& one : cases) {
    all.push_back({one.name + (data->shape.causal ? ", causal" : ""), [=] { data->poison(); },
                   [=] { one.launch(data->problem); },
                   [=] { return attention::verdict_of(*data); }});
  }
  return all;
}

enum class Which { all, best, decode };

template <int size>
void add_shape(Registry& registry, int length, bool causal, Which which) {
  Shape shape;
  shape.batches = which == Which::decode ? 16 : tokens / length;
  shape.heads = shape.kv_heads = width / size;
  shape.queries = which == Which::decode ? 1 : length;
  shape.keys = length;
  shape.size = size;
  shape.causal = causal;
  const auto make = [=] {
    std::vector<Case> chosen;
    if (which == Which::all) {
      chosen = attention::rungs<size>();
    } else {
      chosen.push_back({"mma.sync", attention::launch_warps<size>});
      chosen.push_back({"ours", attention::launch_attention<size>});
    }
    if (which == Which::decode) {
      chosen.push_back(
          {"decode", [](const attention::Problem& p) { attention::launch_decode<size>(p); }});
    }
    return competitors(std::make_shared<Data>(shape, 1), chosen);
  };
  const bool reads = which == Which::decode;
  const double between =
      which == Which::all ? 6.0 * shape.batches * shape.heads * length * length : 0;
  registry.add(measure::Problem{"28_attention", static_cast<std::size_t>(shape.queries),
                                static_cast<std::size_t>(length), shape.bytes(),
                                reads ? 0 : shape.operations(), reads ? "read" : "wgmma BF16",
                                3 * shape.bytes(), shape.bytes() + between,
                                causal ? "mma.sync, causal" : "mma.sync", make, size});
}

}  // namespace

void add_chapter_28(Registry& registry) {
  if (!on_emulator && device().compute_capability != 90) return;
  registry.add(OwnCeiling{"28_attention", "wgmma BF16", [](const Options& options) {
                            return hopper::measure_peak(options).ceiling();
                          }});
  add_shape<128>(registry, 4096, false, Which::all);
  for (const bool causal : {false, true}) {
    for (const int length : {1024, 16384}) {
      add_shape<128>(registry, length, causal, Which::best);
      add_shape<64>(registry, length, causal, Which::best);
    }
    if (causal) add_shape<128>(registry, 4096, causal, Which::best);
    add_shape<64>(registry, 4096, causal, Which::best);
  }
  add_shape<128>(registry, 16384, false, Which::decode);
}

}  // namespace course::measure
