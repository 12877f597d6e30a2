#include "compiler/translate/cluster_dims.hpp"

namespace emulator::compiler::translate {

using text::CudaText;
using text::nowhere;

ClusterDims cluster_dims(const CudaText& text, std::size_t i) {
  ClusterDims dims;
  if (!text.is(i + 1, "(")) return dims;
  dims.close = text.closing(i + 1);
  if (dims.close == nowhere) return dims;
  dims.statement =
      " ::emulator::detail::declare_cluster(" + text.on_one_line(i + 2, dims.close) + ");";
  // Behind the attribute, and others, come the parameters, and after them the kernel.
  for (std::size_t at = dims.close + 1; at < text.tokens().size(); ++at) {
    if (text.is_one_of(at, ";}")) return dims;
    if (text.is(at, "{")) {
      dims.body = at;
      return dims;
    }
    if (text.is(at, "(")) at = text.closing(at);
    if (at == nowhere) return dims;
  }
  return dims;
}

}  // namespace emulator::compiler::translate
