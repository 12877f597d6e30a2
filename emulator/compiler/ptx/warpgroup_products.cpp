#include "compiler/ptx/warpgroup_products.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "compiler/ptx/syntax.hpp"

namespace emulator::compiler::ptx {
namespace {

constexpr std::string_view start = "wgmma.mma_async.sync.aligned.";

// What types there are: of D, of A and of B; how long k is.
struct TypeCombination {
  std::string_view d, a, b;
  unsigned k;
  bool can_turn;    // operands may be transposed
  bool has_scales;  // and multiplied by -1
};
constexpr TypeCombination type_combinations[] = {
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
struct WarpgroupShape {
  unsigned n = 0;
  unsigned k = 0;
};
std::optional<WarpgroupShape> shape_of(std::string_view text) {
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
  WarpgroupShape shape;
  shape.n = number("n");
  shape.k = number("k");
  if (shape.n < 8 || shape.n > 256 || shape.n % 8 != 0 || shape.k == 0 || !text.empty()) {
    return std::nullopt;
  }
  return shape;
}

// Of integers n is a multiple of 16 from 32 on.
bool has_width(const TypeCombination& types, unsigned n) {
  return types.d != "s32" || n <= 24 || n % 16 == 0;
}

std::string unmodelled_message(std::string_view name) {
  return "the instruction " + std::string(name) + " is not modelled; `emucc --list-ptx` lists all";
}

std::string accumulators(const SymbolTable& symbols, std::string_view text,
                         const TypeCombination& types, unsigned n) {
  const unsigned count = types.d == "f16" ? n / 4 : n / 2;
  if (!text.starts_with("{") || !text.ends_with("}")) throw StatementError{"a vector needs braces"};
  const NameParts registers = split(text.substr(1, text.size() - 2), ',');
  if (registers.size() != count) {
    throw StatementError{"wgmma with .n" + std::to_string(n) + " and ." + std::string(types.d) +
                         " has " + std::to_string(count) + " registers for D, not " +
                         std::to_string(registers.size())};
  }
  const std::string_view type = types.d == "f32" ? "f32" : "b32";
  std::string code = "::emulator::ptx::Accumulators<" + std::to_string(count) + ">{{";
  for (std::size_t i = 0; i < registers.size(); ++i) {
    code += (i > 0 ? ", " : "") + symbols.output_pointer(registers[i], type);
  }
  return code + "}}";
}

std::string registers_of_a(const SymbolTable& symbols, std::string_view text) {
  const NameParts registers = split(text.substr(1, text.size() - 2), ',');
  if (!text.ends_with("}") || registers.size() != 4) {
    throw StatementError{"wgmma takes A as a descriptor or as four registers"};
  }
  std::string code = "::emulator::ptx::Registers<::emulator::ptx::u32, 4>{{";
  for (std::size_t i = 0; i < registers.size(); ++i) {
    code += (i > 0 ? ", " : "") + symbols.value(registers[i], "b32");
  }
  return code + "}}";
}

}  // namespace

bool is_warpgroup_product(std::string_view name) {
  return name.starts_with("wgmma.mma_async.");
}

std::string warpgroup_product(const SymbolTable& symbols, std::string_view name,
                              const std::vector<std::string_view>& arguments) {
  if (!name.starts_with(start)) throw StatementError{unmodelled_message(name)};
  NameParts parts = split(name.substr(start.size()), '.');
  const bool saturates = parts.size() == 5 && parts[4] == "satfinite";
  if (saturates) parts.pop_back();
  if (parts.size() != 4) throw StatementError{unmodelled_message(name)};
  const std::optional<WarpgroupShape> shape = shape_of(parts[0]);
  const auto* const types = std::find_if(
      std::begin(type_combinations), std::end(type_combinations), [&](const TypeCombination& one) {
        return one.d == parts[1] && one.a == parts[2] && one.b == parts[3];
      });
  if (!shape || types == std::end(type_combinations) || shape->k != types->k ||
      !has_width(*types, shape->n) || (saturates && types->d != "s32")) {
    throw StatementError{unmodelled_message(name)};
  }
  const bool a_is_shared = arguments.size() > 1 && !arguments[1].starts_with("{");
  const std::size_t turns = !types->can_turn ? 0 : a_is_shared ? 2 : 1;
  // The shortest form has D, A and B, and adds.
  const bool is_short = arguments.size() == 3;
  const std::size_t wanted = 4 + (types->has_scales ? 2U : 0U) + turns;
  if (!is_short && arguments.size() != wanted) {
    throw StatementError{std::string(name) + " does not take " + std::to_string(arguments.size()) +
                         " operands"};
  }
  std::string code =
      "::emulator::ptx::wgmma<" + std::to_string(shape->n) + ", " + std::to_string(shape->k);
  for (const std::string_view type : {types->a, types->b, types->d}) {
    code += ", ::emulator::detail::MatrixType::" + std::string(type);
  }
  code += saturates ? ", true" : ", false";
  const auto constant = [&](std::size_t index, const char* usual) {
    return ", " + (is_short || index >= arguments.size() ? std::string(usual)
                                                         : symbols.value(arguments[index], "n"));
  };
  code +=
      constant(types->has_scales ? 4 : wanted, "1") + constant(types->has_scales ? 5 : wanted, "1");
  code += turns == 2 ? constant(6, "0") : std::string(", 0");
  code += turns > 0 ? constant(turns == 2 ? 7 : 6, "0") : std::string(", 0");
  code += ">(" + accumulators(symbols, arguments[0], *types, shape->n) + ", ";
  code += a_is_shared ? symbols.value(arguments[1], "b64") : registers_of_a(symbols, arguments[1]);
  code += ", " + symbols.value(arguments[2], "b64") + ", " +
          (is_short ? "true" : symbols.value(arguments[3], "pred")) + ")";
  return code;
}

std::string warpgroup_product_list() {
  std::string list =
      "## Products of warpgroups\n\n"
      "`wgmma.mma_async.sync.aligned.m64n8k16` and so on: n is a multiple of 8 up to 256, of "
      "integers from 32 on one of 16. A is in shared memory, with any swizzle, or in registers. "
      "Of `.f16` and `.bf16` operands in shared memory may be transposed. D is written when the "
      "group is waited for. Not modelled: `.sp`, bits.\n\n"
      "| D | A | B | k |\n|---|---|---|---|\n";
  for (const TypeCombination& types : type_combinations) {
    list += "| `." + std::string(types.d) + "` | `." + std::string(types.a) + "` | `." +
            std::string(types.b) + "` | " + std::to_string(types.k) + " |\n";
  }
  return list;
}

}  // namespace emulator::compiler::ptx
