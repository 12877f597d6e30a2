#include "inline_assembly.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace emulator {
namespace {

// A register of PTX, and the bits that it has. %warpid and %smid are left out: nothing here would
// be true of them.
struct Register {
  std::string_view name;
  std::string_view value;
  int bits;
};
constexpr Register registers[] = {
    {"tid.x", "::threadIdx.x", 32},
    {"tid.y", "::threadIdx.y", 32},
    {"tid.z", "::threadIdx.z", 32},
    {"ntid.x", "::blockDim.x", 32},
    {"ntid.y", "::blockDim.y", 32},
    {"ntid.z", "::blockDim.z", 32},
    {"ctaid.x", "::blockIdx.x", 32},
    {"ctaid.y", "::blockIdx.y", 32},
    {"ctaid.z", "::blockIdx.z", 32},
    {"nctaid.x", "::gridDim.x", 32},
    {"nctaid.y", "::gridDim.y", 32},
    {"nctaid.z", "::gridDim.z", 32},
    {"laneid", "::emulator::special::laneid()", 32},
    {"lanemask_eq", "::emulator::special::lanemask_eq()", 32},
    {"lanemask_lt", "::emulator::special::lanemask_lt()", 32},
    {"lanemask_le", "::emulator::special::lanemask_le()", 32},
    {"lanemask_gt", "::emulator::special::lanemask_gt()", 32},
    {"lanemask_ge", "::emulator::special::lanemask_ge()", 32},
    {"clock", "::emulator::special::clock()", 32},
    {"clock64", "::emulator::special::clock64()", 64},
    {"globaltimer", "::emulator::special::globaltimer()", 64},
};

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view word_characters = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// What a string literal says, as far as assembler needs it; a raw one as it is.
std::string content(std::string_view literal) {
  std::string result;
  const std::size_t first = literal.find('"');
  if (first == std::string_view::npos || literal.size() < first + 2) return result;
  if (first > 0 && literal[first - 1] == 'R') {
    const std::size_t open = literal.find('(', first);
    const std::size_t close = literal.rfind(')');
    if (open == std::string_view::npos || close <= open) return result;
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  for (std::size_t i = first + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) {
      ++i;
      result += literal[i] == 'n' || literal[i] == 't' ? ' ' : literal[i];
    } else {
      result += literal[i];
    }
  }
  return result;
}

// Whether an instruction is PTX: `mov.u32`, `@p bra`, `.reg`, with what may stand before it. No
// instruction of a host has a dot in its name.
bool is_ptx(std::string_view instruction) {
  instruction.remove_prefix(
      std::min(instruction.find_first_not_of(" \t\r\n{}"), instruction.size()));
  if (instruction.starts_with("@") || instruction.starts_with(".reg")) return true;
  const std::size_t end = instruction.find_first_not_of(word_characters);
  const std::string_view name = instruction.substr(0, end);
  if (name.empty() || letters.find(name[0]) == std::string_view::npos) return false;
  if (end == std::string_view::npos) return name == "trap" || name == "exit" || name == "brkpt";
  if (instruction[end] == ':') return is_ptx(instruction.substr(end + 1));  // a label
  return instruction[end] == '.' && end + 1 < instruction.size() &&
         (word_characters.find(instruction[end + 1]) != std::string_view::npos ||
          instruction[end + 1] == ':');
}

bool has_ptx(std::string_view code) {
  while (!code.empty()) {
    const std::size_t end = code.find(';');
    if (is_ptx(code.substr(0, end))) return true;
    if (end == std::string_view::npos) break;
    code.remove_prefix(end + 1);
  }
  return false;
}

// The register that `mov.u32 %0, %%laneid;` reads.
const Register* register_read(std::string_view code) {
  code = trimmed(code);
  if (code.empty() || code.back() != ';') return nullptr;
  code.remove_suffix(1);
  constexpr std::string_view mov = "mov.";
  if (!code.starts_with(mov)) return nullptr;
  code.remove_prefix(mov.size());
  const std::string_view type = code.substr(0, code.find_first_of(blanks));
  code = trimmed(code.substr(type.size()));
  constexpr std::string_view into = "%0";
  if (type.size() != 3 || !code.starts_with(into)) return nullptr;
  code = trimmed(code.substr(into.size()));
  if (!code.starts_with(",")) return nullptr;
  code = trimmed(code.substr(1));
  while (code.starts_with("%")) code.remove_prefix(1);
  const bool wide = type.substr(1) == "64";
  if ((!wide && type.substr(1) != "32") ||
      std::string_view("usb").find(type[0]) == std::string_view::npos) {
    return nullptr;
  }
  for (const Register& candidate : registers) {
    if (candidate.name == code && (candidate.bits == 64) == wide) return &candidate;
  }
  return nullptr;
}

}  // namespace

std::optional<InlinePtx> inline_ptx(const CudaText& text, std::size_t i) {
  ++i;
  constexpr std::array<std::string_view, 3> qualifiers = {"volatile", "__volatile__", "__volatile"};
  while (text.is_identifier(i) && contains(qualifiers, text.word(i))) ++i;
  if (!text.is(i, "(")) return std::nullopt;
  const std::size_t close = text.closing(i);
  if (close == nowhere) return std::nullopt;
  std::string code;
  for (++i; text.is_literal(i); ++i) code += content(text.word(i));
  if (!has_ptx(code)) return std::nullopt;

  const Register* const read = register_read(code);
  // `: "=r"(x))`, or with `::: "memory"` or the like behind it, which orders nothing here.
  if (read != nullptr && text.is(i, ":") && text.is_literal(i + 1) && text.is(i + 2, "(")) {
    const std::size_t end = text.closing(i + 2);
    if (end != nowhere && (end + 1 == close || text.is(end + 1, ":") || text.is(end + 1, "::"))) {
      return InlinePtx{close, "static_cast<void>(" + text.on_one_line(i + 2, end + 1) + " = " +
                                  std::string(read->value) + ")"};
    }
  }
  return InlinePtx{close, "::emulator::detail::inline_ptx()"};
}

}  // namespace emulator
