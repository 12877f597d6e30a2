#include "compiler/ptx/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace emulator::compiler::ptx {
namespace {

struct Type {
  std::string_view cpp;
  unsigned bits;
  char kind;  // i: integers, f: floating-point numbers, b: bits, which may be either
};

const std::map<std::string_view, Type>& types() {
  static const std::map<std::string_view, Type> all = {
      {"b8", {"::emulator::ptx::u8", 8, 'b'}},
      {"u8", {"::emulator::ptx::u8", 8, 'i'}},
      {"s8", {"::emulator::ptx::s8", 8, 'i'}},
      {"b16", {"::emulator::ptx::u16", 16, 'b'}},
      {"u16", {"::emulator::ptx::u16", 16, 'i'}},
      {"s16", {"::emulator::ptx::s16", 16, 'i'}},
      {"b32", {"::emulator::ptx::u32", 32, 'b'}},
      {"u32", {"::emulator::ptx::u32", 32, 'i'}},
      {"s32", {"::emulator::ptx::s32", 32, 'i'}},
      {"b64", {"::emulator::ptx::u64", 64, 'b'}},
      {"u64", {"::emulator::ptx::u64", 64, 'i'}},
      {"s64", {"::emulator::ptx::s64", 64, 'i'}},
      {"b128", {"::emulator::ptx::u128", 128, 'b'}},
      {"u16x2", {"::emulator::ptx::u16x2", 32, 'i'}},
      {"s16x2", {"::emulator::ptx::s16x2", 32, 'i'}},
      {"f16", {"::emulator::ptx::f16", 16, 'f'}},
      {"f16x2", {"::emulator::ptx::f16x2", 32, 'f'}},
      {"bf16", {"::emulator::ptx::bf16", 16, 'b'}},
      {"bf16x2", {"::emulator::ptx::bf16x2", 32, 'b'}},
      {"tf32", {"::emulator::ptx::u32", 32, 'b'}},
      {"e4m3x2", {"::emulator::ptx::e4m3x2", 16, 'b'}},
      {"e5m2x2", {"::emulator::ptx::e5m2x2", 16, 'b'}},
      {"f32", {"float", 32, 'f'}},
      {"f64", {"double", 64, 'f'}},
      {"pred", {"bool", 1, 'p'}}};
  return all;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != by || depth > 0)) continue;
    const std::string_view part = trimmed(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

bool take(NameParts& parts, std::string_view part) {
  const auto found = std::find(parts.begin(), parts.end(), part);
  if (found == parts.end()) return false;
  parts.erase(found);
  return true;
}

std::string_view cpp_type(std::string_view type) {
  const auto found = types().find(type);
  return found == types().end() ? std::string_view() : found->second.cpp;
}

bool fits(std::string_view has, std::string_view wanted, bool wider) {
  const auto a = types().find(has);
  const auto b = types().find(wanted);
  if (a == types().end() || b == types().end()) return false;
  const char kind = a->second.kind;
  const char other = b->second.kind;
  if (wider && a->second.bits > b->second.bits) {
    return (kind == 'i' || kind == 'b') && (other == 'i' || other == 'b');
  }
  if (a->second.bits != b->second.bits) return false;
  return kind == other || (kind == 'b' && other != 'p') || (other == 'b' && kind != 'p');
}

unsigned width(std::string_view type) {
  const auto found = types().find(type);
  return found == types().end() ? 0 : found->second.bits;
}

}  // namespace emulator::compiler::ptx
