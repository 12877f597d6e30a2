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

using NameSet = std::set<std::string_view>;

bool reaches(std::string_view from, std::string_view to,
             const std::map<std::string_view, NameSet>& calls, NameSet& seen) {
  const auto found = calls.find(from);
  if (found == calls.end()) return false;
  for (const std::string_view name : found->second) {
    if (name == to) return true;
    if (seen.insert(name).second && reaches(name, to, calls, seen)) return true;
  }
  return false;
}

}  // namespace

std::set<std::size_t> recursive_forced_inlines(const CudaText& text) {
  struct ForcedInline {
    std::size_t token;
    std::string_view name;
  };
  std::vector<ForcedInline> forced;
  std::map<std::string_view, NameSet> calls;  // of the functions that have made one
  const DeviceFunctions functions(text);
  for (const DeviceFunction& function : functions.all()) {
    const std::string_view name = text.word(function.name);
    for (std::size_t i = function.begin; i < function.name; ++i) {
      if (!text.is(i, "always_inline")) continue;
      forced.push_back({i, name});
      NameSet& called = calls[name];
      if (function.close == nowhere) continue;
      for (std::size_t at = function.open; at < function.close; ++at) {
        if (text.is_identifier(at) && text.is_one_of(at + 1, "(<")) called.insert(text.word(at));
      }
    }
  }
  std::set<std::size_t> result;
  for (const ForcedInline& one : forced) {
    NameSet seen;
    if (reaches(one.name, one.name, calls, seen)) result.insert(one.token);
  }
  return result;
}

}  // namespace emulator::compiler::translate
