/// @file
/// Chapter 28's kernels as a library, for attention_turns.py: it times them in turns with
/// PyTorch's.
///
///     nvcc -std=c++20 -O3 -arch=sm_90a -shared -Xcompiler -fPIC -I common/lesson
///         tools/measure/probes/attention_turns.cu -o attention_turns.so

#include "../../../chapters/28_attention/choice.hpp"

namespace {

template <int size>
void launch(int candidate, const attention::Problem& p) {
  candidate < 0 ? attention::launch_attention<size>(p)
                : attention::candidates<size>()[candidate].launch(p);
}

}  // namespace

/// The name of a candidate for heads of this size; empty if there are no more.
extern "C" const char* attention_name(int size, int candidate) {
  const auto& all = size == 64 ? attention::candidates<64>() : attention::candidates<128>();
  return candidate < static_cast<int>(all.size()) ? all[candidate].name.c_str() : "";
}

/// Launches a candidate, or, of a negative number, the best.
extern "C" void attention_launch(int size, int candidate, const void* Q, const void* K,
                                 const void* V, void* O, int batches, int heads, int length,
                                 int causal) {
  using attention::Bf16;
  const attention::Problem p = {static_cast<const Bf16*>(Q),
                                static_cast<const Bf16*>(K),
                                static_cast<const Bf16*>(V),
                                static_cast<Bf16*>(O),
                                nullptr,
                                batches,
                                heads,
                                heads,
                                length,
                                length,
                                causal != 0,
                                1.0F / std::sqrt(static_cast<float>(size))};
  size == 64 ? launch<64>(candidate, p) : launch<128>(candidate, p);
}
