#include "compiler/text/device_functions.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "compiler/text/line_map.hpp"

namespace emulator::compiler::text {
namespace {

constexpr std::array<std::string_view, 14> value_types = {
    "auto", "bool",  "char",   "double", "float",    "int",     "int8_t",
    "long", "short", "signed", "size_t", "unsigned", "int32_t", "float4"};

}  // namespace

bool is_value_type(std::string_view word) {
  return std::find(value_types.begin(), value_types.end(), word) != value_types.end();
}

DeviceFunctions::DeviceFunctions(const CudaText& text) : text_(text) {
  find_user_parts();
  for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
    if (text_.is(i, "__global__") || text_.is(i, "__device__")) read(i);
  }
}

void DeviceFunctions::find_user_parts() {
  any_marker(text_.text(), [&](const LineMarker& marker, std::size_t begin) {
    const bool users = !marker.position.in_system_header;
    if (regions_.empty() || regions_.back().users != users) regions_.push_back({begin, users});
    return false;
  });
}

bool DeviceFunctions::is_user_code(std::size_t i) const {
  const std::size_t at = text_.tokens()[i].begin;
  const auto after =
      std::upper_bound(regions_.begin(), regions_.end(), at,
                       [](std::size_t offset, const Region& part) { return offset < part.begin; });
  return after != regions_.begin() && std::prev(after)->users;
}

std::size_t DeviceFunctions::declaration_begin(std::size_t i) const {
  while (i > 0 && !text_.is_one_of(i - 1, ";{}:")) --i;
  return i;
}

// The function whose qualifier token i is, unless it is a variable or has been read.
void DeviceFunctions::read(std::size_t i) {
  if (!functions_.empty() && i < functions_.back().parameters) {
    functions_.back().is_kernel |= text_.is(i, "__global__");
    return;
  }
  std::size_t at = i + 1;
  while (at < text_.tokens().size() && !text_.is_one_of(at, "(;={}[")) {
    const std::size_t next = text_.skip_attribute(at);
    at = next == at ? at + 1 : next;
  }
  if (!text_.is(at, "(")) return;
  std::size_t name = at - 1;
  if (text_.is(name, ">")) {  // a specialisation
    std::size_t depth = 0;
    for (; name > i; --name) {
      if (text_.is(name, ">")) ++depth;
      if (text_.is(name, "<") && --depth == 0) break;
    }
    --name;
  }
  if (name <= i || !text_.is_identifier(name)) return;
  DeviceFunction function{declaration_begin(i), name, at, text_.closing(at)};
  function.is_kernel = text_.is(i, "__global__");
  if (function.parameters_end == nowhere) return;
  for (at = function.parameters_end + 1; at < text_.tokens().size(); ++at) {
    if (text_.is_one_of(at, ";=}")) break;
    if (text_.is(at, "{")) {
      function.open = at;
      function.close = text_.closing(at);
      if (function.close == nowhere) function.open = nowhere;
      break;
    }
  }
  functions_.push_back(function);
}

}  // namespace emulator::compiler::text
