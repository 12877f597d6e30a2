#include "compiler/ptx/matrices.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "compiler/ptx/syntax.hpp"

namespace emulator::compiler::ptx {
namespace {

using Role = MatrixOperand::Role;

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16, whose parts are in more than one order in
// programs.
std::optional<MatrixInstruction> rows_of(NameParts parts) {
  const bool is_load = parts[0] == "ldmatrix";
  parts.erase(parts.begin());
  for (const std::string_view part : {"sync", "aligned", "m8n8", "b16"}) {
    if (!take(parts, part)) return std::nullopt;
  }
  const bool is_transposed = take(parts, "trans");
  take(parts, "shared") || take(parts, "shared::cta");
  if (parts.size() != 1) return std::nullopt;
  const std::string_view count = parts[0];
  if (count != "x1" && count != "x2" && count != "x4") return std::nullopt;
  const auto registers = static_cast<unsigned>(count[1] - '0');
  MatrixInstruction result;
  result.operands.push_back({is_load ? Role::written : Role::read, registers, "b32"});
  result.operands.push_back({Role::address, 1, ""});
  if (!is_load) std::swap(result.operands[0], result.operands[1]);
  result.function =
      std::string(is_load ? "::emulator::ptx::ldmatrix<" : "::emulator::ptx::stmatrix<") +
      std::string(1, count[1]) + (is_transposed ? ", true>" : ", false>");
  return result;
}

// A shape, and the types of A and B that it has. All give 32 bits, but f16 and numbers of 8 bits
// may give f16, and f64 gives f64.
struct MatrixShape {
  std::string_view name;
  unsigned m, n, k;
  std::string_view types;
};
constexpr MatrixShape shapes[] = {
    {"m16n8k8", 16, 8, 8, "f16 bf16 tf32 f64"},
    {"m16n8k16", 16, 8, 16, "f16 bf16 f64 s8 u8 e4m3 e5m2"},
    {"m16n8k4", 16, 8, 4, "tf32 f64"},
    {"m8n8k4", 8, 8, 4, "f64"},
    {"m8n8k16", 8, 8, 16, "s8 u8"},
    {"m16n8k32", 16, 8, 32, "s8 u8 s4 u4 e4m3 e5m2"},
    {"m8n8k32", 8, 8, 32, "s4 u4"},
    {"m16n8k64", 16, 8, 64, "s4 u4"},
    {"m8n8k128", 8, 8, 128, "b1"},
    {"m16n8k128", 16, 8, 128, "b1"},
    {"m16n8k256", 16, 8, 256, "b1"},
};
// Those of mma.sp.
constexpr MatrixShape sparse_shapes[] = {
    {"m16n8k8", 16, 8, 8, "tf32"},
    {"m16n8k16", 16, 8, 16, "f16 bf16 tf32"},
    {"m16n8k32", 16, 8, 32, "f16 bf16 s8 u8"},
    {"m16n8k64", 16, 8, 64, "s8 u8 s4 u4 e4m3 e5m2"},
    {"m16n8k128", 16, 8, 128, "s4 u4"},
};

unsigned bits_of_type(std::string_view type) {
  if (type == "bf16") return 16;
  if (type == "e4m3" || type == "e5m2") return 8;
  unsigned bits = 0;
  for (const char c : type) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      bits = 10 * bits + static_cast<unsigned>(c - '0');
    }
  }
  return bits;
}

bool is_integer(std::string_view type) {
  return type[0] == 's' || type[0] == 'u';
}

bool is_float8(std::string_view type) {
  return type[0] == 'e';
}

// Registers of a matrix with that many elements, spread over the 32 lanes.
MatrixOperand registers_for(Role role, unsigned elements, std::string_view type) {
  const unsigned bits = bits_of_type(type);
  const std::string_view holds =
      type == "f64" || type == "f32" || type == "s32" ? type : std::string_view("b32");
  return {role, elements / 32 * bits / (bits == 64 ? 64 : 32), holds};
}

// mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32: alone in having other layouts.
std::optional<MatrixInstruction> quads_of(const NameParts& types, const NameParts& layouts) {
  const std::string_view d = types[1];
  if (types[3] != "f16" || types[4] != d || (d != "f16" && d != "f32")) return std::nullopt;
  const unsigned halves = 4 * 32;  // each lane has four of them
  MatrixInstruction result;
  result.operands = {
      registers_for(Role::written, 8 * 32, d), registers_for(Role::read, halves, "f16"),
      registers_for(Role::read, halves, "f16"), registers_for(Role::read, 8 * 32, d)};
  result.function = "::emulator::ptx::mma_quads<" +
                    std::string(layouts[0] == "col" ? "true, " : "false, ") +
                    (layouts[1] == "row" ? "true" : "false") +
                    ", ::emulator::detail::MatrixType::" + std::string(d) + ">";
  return result;
}

// Whether there is a product of this shape with these types.
template <std::size_t count>
const MatrixShape* shape_of(const MatrixShape (&all)[count], const NameParts& types) {
  const auto* const shape = std::find_if(
      std::begin(all), std::end(all), [&](const MatrixShape& one) { return one.name == types[0]; });
  if (shape == std::end(all)) return nullptr;
  const std::string_view d = types[1];
  const std::string_view a = types[2];
  const std::string_view b = types[3];
  const NameParts known = split(shape->types, ' ');
  const bool has_type = std::find(known.begin(), known.end(), a) != known.end();
  const bool same_inputs = a == b ||
                           (is_integer(a) && is_integer(b) && bits_of_type(a) == bits_of_type(b)) ||
                           (is_float8(a) && is_float8(b));
  const bool of_integers = is_integer(a) || a == "b1";
  const bool fits_output = of_integers ? d == "s32"
                           : a == "f64"
                               ? d == "f64"
                               : d == "f32" || (d == "f16" && (a == "f16" || is_float8(a)));
  return has_type && same_inputs && fits_output && types[4] == d ? shape : nullptr;
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
std::optional<MatrixInstruction> product_of(NameParts parts) {
  parts.erase(parts.begin());
  const bool is_ordered = take(parts, "sp::ordered_metadata");
  const bool is_sparse = take(parts, "sp") || is_ordered;
  for (const std::string_view part : {"sync", "aligned"}) {
    if (!take(parts, part)) return std::nullopt;
  }
  NameParts layouts;
  std::erase_if(parts, [&](std::string_view part) {
    if (part == "row" || part == "col") layouts.push_back(part);
    return part == "row" || part == "col";
  });
  const bool saturates = take(parts, "satfinite");
  const bool names_rounding = take(parts, "rn");  // which is the only one here
  const bool counts = take(parts, "popc");
  const bool has_xor = take(parts, "xor");
  const bool has_and = take(parts, "and");
  if (parts.size() != 5 || layouts.size() != 2) return std::nullopt;
  const bool says_more = saturates || names_rounding || counts || has_xor || has_and;
  if (parts[0] == "m8n8k4" && parts[2] == "f16" && !is_sparse && !says_more) {
    return quads_of(parts, layouts);
  }
  if (layouts[0] != "row" || layouts[1] != "col") return std::nullopt;
  const MatrixShape* const shape =
      is_sparse ? shape_of(sparse_shapes, parts) : shape_of(shapes, parts);
  if (shape == nullptr) return std::nullopt;
  const std::string_view d = parts[1];
  const std::string_view a = parts[2];
  const std::string_view b = parts[3];
  if (is_sparse && is_float8(a) && d == "f16") return std::nullopt;
  if ((saturates && !is_integer(a)) || (names_rounding && a != "f64")) return std::nullopt;
  if ((a == "b1") != counts || counts != (has_xor != has_and)) return std::nullopt;

  MatrixInstruction result;
  const unsigned columns_of_a = is_sparse ? shape->k / 2 : shape->k;
  result.operands = {registers_for(Role::written, shape->m * shape->n, d),
                     registers_for(Role::read, shape->m * columns_of_a, a),
                     registers_for(Role::read, shape->k * shape->n, b),
                     registers_for(Role::read, shape->m * shape->n, d)};
  if (is_sparse) {
    result.operands.push_back({Role::read, 1, "b32"});
    result.operands.push_back({Role::constant, 1, ""});
  }
  result.function = std::string("::emulator::ptx::mma") + (is_sparse ? "_sparse<" : "<") +
                    std::to_string(shape->m) + ", " + std::to_string(shape->n) + ", " +
                    std::to_string(shape->k);
  NameParts types{a, b, d};
  if (!is_sparse) types.push_back(d);
  for (const std::string_view type : types) {
    result.function += ", ::emulator::detail::MatrixType::" + std::string(type);
  }
  result.function += saturates ? ", true" : ", false";
  if (has_and) result.function += ", ::emulator::detail::BitOperation::both";
  if (is_sparse) {
    result.function +=
        std::string(", ::emulator::detail::MatrixForm::sparse") + (is_ordered ? "_ordered" : "");
  }
  result.function += ">";
  return result;
}

// The registers of `{%0, %1}`; a single one may do without braces.
std::vector<std::string_view> registers_of(std::string_view text) {
  if (!text.starts_with("{") || !text.ends_with("}")) return {text};
  return split(text.substr(1, text.size() - 2), ',');
}

}  // namespace

std::optional<MatrixInstruction> find_matrix_instruction(std::string_view name) {
  const NameParts parts = split(name, '.');
  if (parts.empty()) return std::nullopt;
  if (parts[0] == "ldmatrix" || parts[0] == "stmatrix") return rows_of(parts);
  if (parts[0] == "mma") return product_of(parts);
  return std::nullopt;
}

std::string matrix_instruction(const SymbolTable& symbols, const MatrixInstruction& matrix,
                               std::string_view name, const std::vector<std::string_view>& texts) {
  if (texts.size() != matrix.operands.size()) {
    throw StatementError{std::string(name) + " does not take " + std::to_string(texts.size()) +
                         " operands"};
  }
  std::string arguments;
  std::string assignments;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const MatrixOperand& wanted = matrix.operands[i];
    const std::string_view before = arguments.empty() ? "" : ", ";
    if (wanted.role == Role::address) {
      arguments += std::string(before) + symbols.address(texts[i], true);
      continue;
    }
    if (wanted.role == Role::constant) {
      arguments += std::string(before) + "static_cast<::emulator::ptx::u32>(" +
                   symbols.value(texts[i], "n") + ")";
      continue;
    }
    const std::vector<std::string_view> parts = registers_of(texts[i]);
    if (parts.size() != wanted.count) {
      throw StatementError{"`" + std::string(texts[i]) + "` should be " +
                           std::to_string(wanted.count) + " registers"};
    }
    if (wanted.role == Role::written) {
      for (std::size_t j = 0; j < parts.size(); ++j) {
        assignments += "; " + symbols.assign(parts[j], wanted.type,
                                             "written.value[" + std::to_string(j) + "]");
      }
      continue;
    }
    arguments += std::string(before) + "::emulator::ptx::Registers<" +
                 std::string(cpp_type(wanted.type)) + ", " + std::to_string(wanted.count) + ">{{";
    for (std::size_t j = 0; j < parts.size(); ++j) {
      arguments += (j > 0 ? ", " : "") + symbols.value(parts[j], wanted.type);
    }
    arguments += "}}";
  }
  const std::string call = matrix.function + "(" + arguments + ")";
  return assignments.empty() ? call : "const auto written = " + call + assignments;
}

namespace {

template <std::size_t count>
std::string table_of(const MatrixShape (&all)[count], const std::string& title) {
  std::string list = "| shape of `" + title + "` | types of A and B |\n|---|---|\n";
  for (const MatrixShape& shape : all) {
    std::string types;
    for (const std::string_view type : split(shape.types, ' ')) {
      types += (types.empty() ? "`." : ", `.") + std::string(type) + "`";
    }
    list += "| `." + std::string(shape.name) + "` | " + types + " |\n";
  }
  return list;
}

}  // namespace

std::string matrix_instruction_list() {
  return "## Matrix instructions\n\n"
         "All 32 lanes take part. `ldmatrix` and `stmatrix` move one, two or four matrices (`.x1`, "
         "`.x2`, `.x4`) of `.m8n8` and `.b16`, with `.trans` or without. `mma.sync.aligned` takes "
         "`.row.col`, of integers `.satfinite`, of `.f64` `.rn`, of `.b1` `.xor.popc` or "
         "`.and.popc`. It gives `.f32`; of `.f16`, `.e4m3` and `.e5m2` also `.f16`, of `.f64` "
         "`.f64`, of integers and bits `.s32`.\n\n" +
         table_of(shapes, "mma.sync") +
         "\n`mma.sync.aligned.m8n8k4` of `.f16` is four products of eight lanes each, in any of "
         "the four layouts (`.row.col`, `.col.row`, …). Of a sparse A, in `mma.sp` and "
         "`mma.sp::ordered_metadata`, only one element of two is there, and metadata say which; "
         "metadata that name no two elements in order end the launch. Of `.e4m3` and `.e5m2` "
         "it gives `.f32` only.\n\n" +
         table_of(sparse_shapes, "mma.sp");
}

}  // namespace emulator::compiler::ptx
