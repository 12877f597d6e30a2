// Chapter 28: attention, O = softmax(Q Kᵀ / √d) V, forward, in BF16:
//
//   three kernels  scores, softmax, product: two matrices between them go through memory
//   online         one kernel: tiles of keys, and a softmax that is corrected as they come
//   mma.sync       the same on tensor cores, a warp for 16 queries
//   wgmma          Hopper: tensor maps, a producer warp, two consumer warpgroups
//   in flight      the next scores are multiplied while powers are computed
//   turns          one warpgroup's powers while the other multiplies
//   ours           persistent blocks, and tiles of the best size
//
// and one query per sequence, as when a text is written word by word: decode.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson attention.cu -o attention

#include "cases.hpp"

namespace attention {

template <int size>
int run(const course::Options& options, const Shape& shape, bool with_variants) {
  const auto heads = static_cast<double>(shape.batches) * shape.heads;
  const double between = 6.0 * heads * shape.queries * (shape.keys + 63.0);
  course::require_memory(options, 3 * shape.bytes(), shape.bytes() + between);
  course::Report report(options, course::CeilingKind::fma);
  Data data(shape, options.seed);
  std::vector<Case> cases = rungs<size>();
  if (with_variants) {
    for (Case& variant : variants<size>()) cases.push_back(std::move(variant));
  }
  if (shape.queries == 1)
    cases.push_back({"decode", [](const Problem& p) { launch_decode<size>(p); }});
  for (const Case& one : cases) {
    const course::Timing timing = TIME_EVENTS(options, data.poison(), one.launch(data.problem));
    report.check(one.name, "normal numbers", verdict_of(data));
    report.add(one.name, timing, {shape.bytes(), shape.operations()});
    char text[100];
    std::snprintf(text, sizeof text, "%s: error %.1e (root mean square, relative)",
                  one.name.c_str(), data.errors().rms);
    report.note(text);
  }
  return report.finish();
}

}  // namespace attention

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "28_attention";
  defaults.description =
      "Attention in BF16, rung by rung. --rows: queries of a sequence; --cols: its keys.";
  defaults.on_gpu = {4096, 4096};
  defaults.on_emulator = {256, 256};
  defaults.emulator = course::on_emulator;
  defaults.choose_data = false;
  attention::Shape shape;
  shape.batches = course::on_emulator ? 1 : 4;
  shape.heads = course::on_emulator ? 1 : 16;
  shape.kv_heads = 0;
  shape.size = 128;
  bool variants = false;
  defaults.add("--batches", &shape.batches, 1, 1024, "sequences");
  defaults.add("--heads", &shape.heads, 1, 1024, "heads of a sequence");
  defaults.add("--kv-heads", &shape.kv_heads, 0, 1024, "heads of K and V; 0: as many");
  defaults.add("--head-size", &shape.size, 64, 128, "64 or 128");
  defaults.add("--causal", &shape.causal, "queries see no later keys");
  defaults.add("--variants", &variants, "also tiles of other sizes");
  const course::Options options = course::parse_options(argc, argv, defaults);
  if (shape.kv_heads == 0) shape.kv_heads = shape.heads;
  if (shape.size != 64 && shape.size != 128) {
    throw course::UsageError("--head-size wants 64 or 128, got " + std::to_string(shape.size));
  }
  if (shape.heads % shape.kv_heads != 0) {
    throw course::UsageError("--kv-heads has to divide --heads");
  }
  shape.queries = static_cast<int>(options.rows);
  shape.keys = static_cast<int>(options.cols);
  return shape.size == 64 ? attention::run<64>(options, shape, variants)
                          : attention::run<128>(options, shape, variants);
} catch (const course::UsageError& error) {
  std::fprintf(stderr, "28_attention: %s\n", error.what());
  return 2;
} catch (const std::exception& error) {
  return course::report_failure(error);
}
