#include "compiler/ptx/names.hpp"

#include <algorithm>
#include <set>

#include "compiler/ptx/matrices.hpp"
#include "compiler/ptx/memory.hpp"
#include "compiler/ptx/syntax.hpp"
#include "compiler/ptx/tensors.hpp"
#include "compiler/ptx/warpgroup_products.hpp"

namespace emulator::compiler::ptx {
namespace {

std::string joined(std::string_view words, std::string_view before, std::string_view between) {
  std::string result;
  for (const std::string_view word : split(words, ' ')) {
    result +=
        (result.empty() ? "" : std::string(between)) + std::string(before) + std::string(word);
  }
  return result;
}

// Every row, of all tables.
template <class Function>
void for_each_row(const Function& function) {
  for (const auto* table :
       {&general_instructions(), &integer_instructions(), &float_instructions()}) {
    for (const Instruction& row : *table) function(row);
  }
}

// `add` of `add.u32`, and of `add[.sat]`; of `(min|max).u32` both.
std::vector<std::string_view> first_words(std::string_view name) {
  if (name.starts_with("(")) return split(name.substr(1, name.find(')') - 1), '|');
  return {name.substr(0, name.find_first_of(".[("))};
}
bool begin_alike(std::string_view pattern, std::string_view name) {
  const std::vector<std::string_view> words = first_words(pattern);
  return std::find(words.begin(), words.end(), first_words(name)[0]) != words.end();
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view text,
                  std::vector<std::string_view>& parts) {
  while (!pattern.empty() && pattern[0] != '(' && pattern[0] != '[') {
    if (text.empty() || text[0] != pattern[0]) return false;
    pattern.remove_prefix(1);
    text.remove_prefix(1);
  }
  if (pattern.empty()) return text.empty();
  const std::size_t close = pattern.find(pattern[0] == '(' ? ')' : ']');
  std::string_view alternatives = pattern.substr(1, close - 1);
  for (bool is_last = false; !is_last;) {
    const std::size_t end = alternatives.find('|');
    is_last = end == std::string_view::npos;
    const std::string_view one = alternatives.substr(0, end);
    if (!is_last) alternatives.remove_prefix(end + 1);
    if (!text.starts_with(one)) continue;
    parts.push_back(text.substr(0, one.size()));
    if (fits_pattern(pattern.substr(close + 1), text.substr(one.size()), parts)) return true;
    parts.pop_back();
  }
  if (pattern[0] == '(') return false;
  parts.push_back(text.substr(0, 0));
  if (fits_pattern(pattern.substr(close + 1), text, parts)) return true;
  parts.pop_back();
  return false;
}

std::string canonical_name(std::string_view name) {
  static const std::set<std::string_view> of_mbarriers = {
      "release", "acquire", "cta", "cluster", "shared", "shared::cta", "shared::cluster"};
  const bool is_mbarrier = name.starts_with("mbarrier.");
  std::string plain;
  for (std::string_view part : split(name, '.')) {
    if (is_mbarrier && of_mbarriers.contains(part)) continue;
    if (part == "L2::64B" || part == "L2::128B" || part == "L2::256B") continue;
    if (part == "shared::cta" || part == "shared::cluster") part = "shared";
    plain += (plain.empty() ? "" : ".") + std::string(part);
  }
  return plain;
}

std::vector<InstructionMatch> instruction_matches(std::string_view name) {
  std::vector<InstructionMatch> matches;
  for_each_row([&](const Instruction& row) {
    const std::string types = row.types.empty() ? "" : "(" + joined(row.types, ".", "|") + ")";
    for (const std::string_view one : split(row.name, ' ')) {
      if (!begin_alike(one, name)) continue;
      InstructionMatch match;
      if (!fits_pattern(std::string(one) + types, name, match.parts)) continue;
      match.row = &row;
      if (!types.empty()) {
        match.type = match.parts.back().substr(1);
        match.parts.pop_back();
      }
      match.name = name.substr(0, name.size() - (types.empty() ? 0 : match.type.size() + 1));
      matches.push_back(match);
    }
  });
  return matches;
}

std::string similar_instructions(std::string_view name) {
  std::string result;
  for_each_row([&](const Instruction& row) {
    for (const std::string_view one : split(row.name, ' ')) {
      if (!begin_alike(one, name)) continue;
      result += (result.empty() ? "" : ", ") + std::string(one);
      if (!row.types.empty()) result += "(" + joined(row.types, ".", "|") + ")";
    }
  });
  return result;
}

std::string instruction_list() {
  const auto list_of = [](std::string_view words) { return joined(words, "`.", "`, ") + "`"; };
  std::string list = "## Loads, stores, atomic operations\n";
  for (const InstructionFamily& family : instruction_families()) {
    list += "\n**" + std::string(family.name) + "**. " + std::string(family.remark) +
            "\n\n- modifiers, in any order: " + list_of(family.parts) + "\n- state spaces: none, " +
            list_of(family.spaces) + "\n- types: " + list_of(family.types) + "\n";
  }
  list +=
      "\n## All others\n\n"
      "A name has one part of `(.a/.b)`, and one or none of `[.a/.b]`.\n\n"
      "| instruction | type at the end | remark |\n|---|---|---|\n"
      "| `bra` `bra.uni` |  | The label must be in the same statement. |\n"
      "| `mov` with a vector, `{a, b}` | `.b16`, `.b32`, `.b64`, `.b128` | Splits or joins "
      "registers. |\n";
  for_each_row([&](const Instruction& row) {
    std::string name = joined(row.name, "`", "` ") + "`";
    std::replace(name.begin(), name.end(), '|', '/');
    list += "| " + name + " | " + (row.types.empty() ? std::string() : list_of(row.types)) + " | " +
            std::string(row.remark) + " |\n";
  });
  list += "\n" + tensor_instruction_list() + "\n" + matrix_instruction_list() + "\n" +
          warpgroup_product_list() + "\n## Special registers\n\n";
  std::string names;
  for (const std::string_view name : special_register_names()) {
    names += (names.empty() ? "`%" : ", `%") + std::string(name) + "`";
  }
  return list + names + ".\n";
}

}  // namespace emulator::compiler::ptx
