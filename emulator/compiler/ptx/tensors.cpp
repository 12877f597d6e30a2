#include "compiler/ptx/tensors.hpp"

#include <algorithm>

#include "compiler/ptx/syntax.hpp"

namespace emulator::compiler::ptx {
namespace {

constexpr std::string_view copies = "cp.async.bulk.tensor.";
constexpr std::string_view prefetches = "cp.async.bulk.prefetch.tensor.";

// `[%1, {%2, %3}]` as a map and the corner of a box.
std::string map_and_corner(const SymbolTable& symbols, std::string_view text, unsigned rank) {
  const std::size_t brace = text.find('{');
  if (!text.starts_with("[") || !text.ends_with("]") || brace == std::string_view::npos) {
    throw StatementError{"`" + std::string(text) +
                         "` should be a tensor map and coordinates, [map, {x}]"};
  }
  std::string_view map = trimmed(text.substr(1, brace - 1));
  if (map.ends_with(",")) map = trimmed(map.substr(0, map.size() - 1));
  std::string_view corner = trimmed(text.substr(brace + 1, text.size() - brace - 2));
  if (!corner.ends_with("}")) throw StatementError{"a vector needs braces"};
  corner.remove_suffix(1);
  const NameParts coordinates = split(corner, ',');
  if (coordinates.size() != rank) {
    throw StatementError{"`" + std::string(text) + "` should have " + std::to_string(rank) +
                         " coordinates"};
  }
  std::string code = symbols.address("[" + std::string(map) + "]", false) +
                     ", ::emulator::detail::BoxCorner{" + std::to_string(rank) + ", {";
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    code += (i > 0 ? ", " : "") + symbols.value(coordinates[i], "s32");
  }
  return code + "}}";
}

void want(std::string_view name, const NameParts& arguments, std::size_t count) {
  if (arguments.size() == count) return;
  throw StatementError{std::string(name) + " does not take " + std::to_string(arguments.size()) +
                       " operands"};
}

// Global memory to shared memory.
std::string copy_in(const SymbolTable& symbols, std::string_view name, NameParts parts,
                    const NameParts& arguments, unsigned rank) {
  const bool is_multicast = take(parts, "multicast::cluster");
  const bool has_policy = take(parts, "L2::cache_hint");
  take(parts, "tile");
  if (!take(parts, "mbarrier::complete_tx::bytes") || !parts.empty()) {
    throw StatementError{std::string(name) + " is not modelled"};
  }
  want(name, arguments, 3U + (is_multicast ? 1 : 0) + (has_policy ? 1 : 0));
  std::string code = is_multicast ? "::emulator::detail::tensor_copy_in_multicast("
                                  : "::emulator::detail::tensor_copy_in(";
  code += symbols.address(arguments[0], true) + ", " + map_and_corner(symbols, arguments[1], rank) +
          ", " + symbols.address(arguments[2], true);
  if (is_multicast) code += ", " + symbols.value(arguments[3], "u16");
  return code + ")";
}

std::string copy_out(const SymbolTable& symbols, std::string_view name, NameParts parts,
                     const NameParts& arguments, unsigned rank) {
  const bool has_policy = take(parts, "L2::cache_hint");
  take(parts, "tile");
  if (!take(parts, "bulk_group") || !parts.empty()) {
    throw StatementError{std::string(name) + " is not modelled"};
  }
  want(name, arguments, 2U + (has_policy ? 1 : 0));
  return "::emulator::detail::tensor_copy_out(" + map_and_corner(symbols, arguments[0], rank) +
         ", " + symbols.address(arguments[1], true) + ")";
}

std::string prefetch(const SymbolTable& symbols, std::string_view name, NameParts parts,
                     const NameParts& arguments, unsigned rank) {
  const bool has_policy = take(parts, "L2::cache_hint");
  take(parts, "tile");
  if (!parts.empty()) throw StatementError{std::string(name) + " is not modelled"};
  want(name, arguments, 1U + (has_policy ? 1 : 0));
  return "::emulator::detail::tensor_prefetch(" + map_and_corner(symbols, arguments[0], rank) + ")";
}

}  // namespace

bool is_tensor_instruction(std::string_view name) {
  return name.starts_with(copies) || name.starts_with(prefetches);
}

std::string tensor_instruction(const SymbolTable& symbols, std::string_view name,
                               const std::vector<std::string_view>& arguments) {
  const bool is_prefetch = name.starts_with(prefetches);
  NameParts parts = split(name.substr(is_prefetch ? prefetches.size() : copies.size()), '.');
  const std::string_view dimensions = parts.empty() ? std::string_view() : parts[0];
  const bool fits = dimensions.size() == 2 && dimensions[0] >= '1' && dimensions[0] <= '5' &&
                    dimensions[1] == 'd' && parts.size() > 2;
  if (!fits) throw StatementError{std::string(name) + " is not modelled"};
  const auto rank = static_cast<unsigned>(dimensions[0] - '0');
  const std::string_view to = parts[1];
  const std::string_view from = parts[2];
  parts.erase(parts.begin(), parts.begin() + 3);
  if (is_prefetch && to == "L2" && from == "global") {
    return prefetch(symbols, name, parts, arguments, rank);
  }
  if (!is_prefetch && (to == "shared::cluster" || to == "shared::cta") && from == "global") {
    return copy_in(symbols, name, parts, arguments, rank);
  }
  if (!is_prefetch && to == "global" && from == "shared::cta") {
    return copy_out(symbols, name, parts, arguments, rank);
  }
  throw StatementError{std::string(name) + " is not modelled"};
}

std::string tensor_instruction_list() {
  return "## Copies of tensors\n\n"
         "Of one to five dimensions (`.1d` to `.5d`), in tiles. A policy (`.L2::cache_hint`) "
         "changes "
         "nothing. Not modelled: `.im2col`, `.tile::gather4`, reductions.\n\n"
         "| instruction | remark |\n|---|---|\n"
         "| `cp.async.bulk.tensor.2d(.shared::cluster/.shared::cta).global[.tile]"
         ".mbarrier::complete_tx::bytes[.multicast::cluster][.L2::cache_hint]` | The mask names "
         "blocks of the cluster. |\n"
         "| `cp.async.bulk.tensor.2d.global.shared::cta[.tile].bulk_group[.L2::cache_hint]` |  |\n"
         "| `cp.async.bulk.prefetch.tensor.2d.L2.global[.tile][.L2::cache_hint]` | Only checks "
         "the map. |\n";
}

}  // namespace emulator::compiler::ptx
