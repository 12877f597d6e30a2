#include "compiler/ptx/warpgroup_products.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "compiler/ptx/syntax.hpp"

namespace emulator::compiler::ptx {
namespace {

constexpr std::string_view start = "wgmma.mma_async.sync.aligned.";

using Parts = std::vector<std::string_view>;

// What types there are: of D, of A and of B; how long k is.
struct Kind {
  std::string_view d, a, b;
  unsigned k;
  bool can_turn;    // operands may be transposed
  bool has_scales;  // and multiplied by -1
};
constexpr Kind kinds[] = {
    {"f32", "f16", "f16", 16, true, true},    {"f16", "f16", "f16", 16, true, true},
    {"f32", "bf16", "bf16", 16, true, true},  {"f32", "tf32", "tf32", 8, false, true},
    {"f32", "e4m3", "e4m3", 32, false, true}, {"f32", "e4m3", "e5m2", 32, false, true},
    {"f32", "e5m2", "e4m3", 32, false, true}, {"f32", "e5m2", "e5m2", 32, false, true},
    {"f16", "e4m3", "e4m3", 32, false, true}, {"f16", "e4m3", "e5m2", 32, false, true},
    {"f16", "e5m2", "e4m3", 32, false, true}, {"f16", "e5m2", "e5m2", 32, false, true},
    {"s32", "s8", "s8", 32, false, false},    {"s32", "s8", "u8", 32, false, false},
    {"s32", "u8", "s8", 32, false, false},    {"s32", "u8", "u8", 32, false, false},
};

// `m64n128k16`
struct Shape {
  unsigned n = 0;
  unsigned k = 0;
};
std::optional<Shape> shape_of(std::string_view text) {
  const auto number = [&](std::string_view letter) -> unsigned {
    if (!text.starts_with(letter)) return 0;
    text.remove_prefix(letter.size());
    unsigned value = 0;
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0 &&
           value < 1000) {
      value = 10 * value + static_cast<unsigned>(text[0] - '0');
      text.remove_prefix(1);
    }
    return value;
  };
  if (number("m") != 64) return std::nullopt;
  Shape shape;
  shape.n = number("n");
  shape.k = number("k");
  if (shape.n < 8 || shape.n > 256 || shape.n % 8 != 0 || shape.k == 0 || !text.empty()) {
    return std::nullopt;
  }
  return shape;
}

// Of integers n is a multiple of 16 from 32 on.
bool has_width(const Kind& kind, unsigned n) {
  return kind.d != "s32" || n <= 24 || n % 16 == 0;
}

std::string not_modelled(std::string_view name) {
  return "the instruction " + std::string(name) + " is not modelled; `emucc --list-ptx` lists all";
}

std::string accumulators(const PtxOperands& operands, std::string_view text, const Kind& kind,
                         unsigned n) {
  const unsigned count = kind.d == "f16" ? n / 4 : n / 2;
  if (!text.starts_with("{") || !text.ends_with("}")) throw Refused{"a vector needs braces"};
  const Parts registers = split(text.substr(1, text.size() - 2), ',');
  if (registers.size() != count) {
    throw Refused{"wgmma with .n" + std::to_string(n) + " and ." + std::string(kind.d) + " has " +
                  std::to_string(count) + " registers for D, not " +
                  std::to_string(registers.size())};
  }
  const std::string_view type = kind.d == "f32" ? "f32" : "b32";
  std::string code = "::emulator::ptx::Accumulators<" + std::to_string(count) + ">{{";
  for (std::size_t i = 0; i < registers.size(); ++i) {
    code += (i > 0 ? ", " : "") + operands.place(registers[i], type);
  }
  return code + "}}";
}

std::string registers_of_a(const PtxOperands& operands, std::string_view text) {
  const Parts registers = split(text.substr(1, text.size() - 2), ',');
  if (!text.ends_with("}") || registers.size() != 4) {
    throw Refused{"wgmma takes A as a descriptor or as four registers"};
  }
  std::string code = "::emulator::ptx::Registers<::emulator::ptx::u32, 4>{{";
  for (std::size_t i = 0; i < registers.size(); ++i) {
    code += (i > 0 ? ", " : "") + operands.value(registers[i], "b32");
  }
  return code + "}}";
}

}  // namespace

bool is_group_product(std::string_view name) {
  return name.starts_with("wgmma.mma_async.");
}

std::string group_product(const PtxOperands& operands, std::string_view name,
                          const std::vector<std::string_view>& arguments) {
  if (!name.starts_with(start)) throw Refused{not_modelled(name)};
  Parts parts = split(name.substr(start.size()), '.');
  const bool saturates = parts.size() == 5 && parts[4] == "satfinite";
  if (saturates) parts.pop_back();
  if (parts.size() != 4) throw Refused{not_modelled(name)};
  const std::optional<Shape> shape = shape_of(parts[0]);
  const auto* const kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& one) {
    return one.d == parts[1] && one.a == parts[2] && one.b == parts[3];
  });
  if (!shape || kind == std::end(kinds) || shape->k != kind->k || !has_width(*kind, shape->n) ||
      (saturates && kind->d != "s32")) {
    throw Refused{not_modelled(name)};
  }
  const bool a_is_shared = arguments.size() > 1 && !arguments[1].starts_with("{");
  const std::size_t turns = !kind->can_turn ? 0 : a_is_shared ? 2 : 1;
  // The shortest form has D, A and B, and adds.
  const bool is_short = arguments.size() == 3;
  const std::size_t wanted = 4 + (kind->has_scales ? 2U : 0U) + turns;
  if (!is_short && arguments.size() != wanted) {
    throw Refused{std::string(name) + " does not take " + std::to_string(arguments.size()) +
                  " operands"};
  }
  std::string code =
      "::emulator::ptx::wgmma<" + std::to_string(shape->n) + ", " + std::to_string(shape->k);
  for (const std::string_view type : {kind->a, kind->b, kind->d}) {
    code += ", ::emulator::detail::MatrixType::" + std::string(type);
  }
  code += saturates ? ", true" : ", false";
  const auto constant = [&](std::size_t index, const char* usual) {
    return ", " + (is_short || index >= arguments.size() ? std::string(usual)
                                                         : operands.value(arguments[index], "n"));
  };
  code +=
      constant(kind->has_scales ? 4 : wanted, "1") + constant(kind->has_scales ? 5 : wanted, "1");
  code += turns == 2 ? constant(6, "0") : std::string(", 0");
  code += turns > 0 ? constant(turns == 2 ? 7 : 6, "0") : std::string(", 0");
  code += ">(" + accumulators(operands, arguments[0], *kind, shape->n) + ", ";
  code +=
      a_is_shared ? operands.value(arguments[1], "b64") : registers_of_a(operands, arguments[1]);
  code += ", " + operands.value(arguments[2], "b64") + ", " +
          (is_short ? "true" : operands.value(arguments[3], "pred")) + ")";
  return code;
}

std::string ptx_group_list() {
  std::string list =
      "## Products of warpgroups\n\n"
      "`wgmma.mma_async.sync.aligned.m64n8k16` and so on: n is a multiple of 8 up to 256, of "
      "integers from 32 on one of 16. A lies in shared memory, with any swizzle, or in registers. "
      "Of `.f16` and `.bf16` operands in shared memory may be transposed. D is written when the "
      "group is waited for. Not modelled: `.sp`, bits.\n\n"
      "| D | A | B | k |\n|---|---|---|---|\n";
  for (const Kind& kind : kinds) {
    list += "| `." + std::string(kind.d) + "` | `." + std::string(kind.a) + "` | `." +
            std::string(kind.b) + "` | " + std::to_string(kind.k) + " |\n";
  }
  return list;
}

}  // namespace emulator::compiler::ptx
