#include "compiler/translate/forced_inlining.hpp"

#include <map>
#include <string_view>
#include <vector>

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::translate {
namespace {

using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::nowhere;

using Names = std::set<std::string_view>;

bool reaches(std::string_view from, std::string_view to,
             const std::map<std::string_view, Names>& calls, Names& seen) {
  const auto found = calls.find(from);
  if (found == calls.end()) return false;
  for (const std::string_view name : found->second) {
    if (name == to) return true;
    if (seen.insert(name).second && reaches(name, to, calls, seen)) return true;
  }
  return false;
}

}  // namespace

std::set<std::size_t> broken_promises_to_inline(const CudaText& text) {
  struct Promise {
    std::size_t token;
    std::string_view name;
  };
  std::vector<Promise> promises;
  std::map<std::string_view, Names> calls;  // of the functions that have made one
  const DeviceFunctions functions(text);
  for (const DeviceFunction& function : functions.all()) {
    const std::string_view name = text.word(function.name);
    for (std::size_t i = function.begin; i < function.name; ++i) {
      if (!text.is(i, "always_inline")) continue;
      promises.push_back({i, name});
      Names& called = calls[name];
      if (function.close == nowhere) continue;
      for (std::size_t at = function.open; at < function.close; ++at) {
        if (text.is_identifier(at) && text.is_one_of(at + 1, "(<")) called.insert(text.word(at));
      }
    }
  }
  std::set<std::size_t> result;
  for (const Promise& promise : promises) {
    Names seen;
    if (reaches(promise.name, promise.name, calls, seen)) result.insert(promise.token);
  }
  return result;
}

}  // namespace emulator::compiler::translate
