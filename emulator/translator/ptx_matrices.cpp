#include "ptx_matrices.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace emulator {
namespace {

using Parts = std::vector<std::string_view>;
using Use = PtxRegisters::Use;

Parts parts_of(std::string_view name) {
  Parts parts;
  while (!name.empty()) {
    // A point, as two colons belong to a part.
    const std::size_t end = std::min(name.find('.'), name.size());
    parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

// Takes the part away, if it is there.
bool take(Parts& parts, std::string_view part) {
  const auto found = std::find(parts.begin(), parts.end(), part);
  if (found == parts.end()) return false;
  parts.erase(found);
  return true;
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16, whose parts stand in more than one order in
// programs.
std::optional<PtxMatrixInstruction> rows_of(Parts parts) {
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
  PtxMatrixInstruction result;
  result.operands.push_back({is_load ? Use::written : Use::read, registers, "b32"});
  result.operands.push_back({Use::address, 1, ""});
  if (!is_load) std::swap(result.operands[0], result.operands[1]);
  result.function =
      std::string(is_load ? "::emulator::ptx::ldmatrix<" : "::emulator::ptx::stmatrix<") +
      std::string(1, count[1]) + (is_transposed ? ", true>" : ", false>");
  return result;
}

// A shape, and the types of A and B that it has. All give 32 bits, but f16 may give f16, and f64
// gives f64.
struct Shape {
  std::string_view name;
  unsigned m, n, k;
  std::string_view types;
};
constexpr Shape shapes[] = {
    {"m16n8k8", 16, 8, 8, "f16 bf16 tf32 f64"},
    {"m16n8k16", 16, 8, 16, "f16 bf16 f64 s8 u8"},
    {"m16n8k4", 16, 8, 4, "tf32 f64"},
    {"m8n8k4", 8, 8, 4, "f64"},
    {"m8n8k16", 8, 8, 16, "s8 u8"},
    {"m16n8k32", 16, 8, 32, "s8 u8 s4 u4"},
    {"m8n8k32", 8, 8, 32, "s4 u4"},
    {"m16n8k64", 16, 8, 64, "s4 u4"},
    {"m8n8k128", 8, 8, 128, "b1"},
    {"m16n8k128", 16, 8, 128, "b1"},
    {"m16n8k256", 16, 8, 256, "b1"},
};

unsigned bits_of_type(std::string_view type) {
  if (type == "bf16") return 16;
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

// Registers of a matrix with so many elements, spread over the 32 lanes.
PtxRegisters registers(Use use, unsigned elements, std::string_view type) {
  const unsigned bits = bits_of_type(type);
  const std::string_view holds =
      type == "f64" || type == "f32" || type == "s32" ? type : std::string_view("b32");
  return {use, elements / 32 * bits / (bits == 64 ? 64 : 32), holds};
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
std::optional<PtxMatrixInstruction> product_of(Parts parts) {
  parts.erase(parts.begin());
  for (const std::string_view part : {"sync", "aligned", "row", "col"}) {
    if (!take(parts, part)) return std::nullopt;
  }
  const bool saturates = take(parts, "satfinite");
  const bool names_rounding = take(parts, "rn");  // which is the only one here
  const bool counts = take(parts, "popc");
  const bool has_xor = take(parts, "xor");
  const bool has_and = take(parts, "and");
  if (parts.size() != 5) return std::nullopt;
  const auto* const shape = std::find_if(std::begin(shapes), std::end(shapes),
                                         [&](const Shape& one) { return one.name == parts[0]; });
  if (shape == std::end(shapes)) return std::nullopt;
  const std::string_view d = parts[1];
  const std::string_view a = parts[2];
  const std::string_view b = parts[3];
  const std::string_view c = parts[4];
  bool has_type = false;
  for (std::string_view rest = shape->types; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    has_type = has_type || rest.substr(0, end) == a;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const bool same_inputs =
      a == b || (is_integer(a) && is_integer(b) && bits_of_type(a) == bits_of_type(b));
  const bool of_integers = is_integer(a) || a == "b1";
  const bool fits_output = of_integers  ? d == "s32"
                           : a == "f64" ? d == "f64"
                                        : d == "f32" || (d == "f16" && a == "f16");
  if (!has_type || !same_inputs || !fits_output || c != d) return std::nullopt;
  if ((saturates && !is_integer(a)) || (names_rounding && a != "f64")) return std::nullopt;
  if ((a == "b1") != counts || counts != (has_xor != has_and)) return std::nullopt;

  PtxMatrixInstruction result;
  result.operands = {
      registers(Use::written, shape->m * shape->n, d), registers(Use::read, shape->m * shape->k, a),
      registers(Use::read, shape->k * shape->n, b), registers(Use::read, shape->m * shape->n, c)};
  result.function = "::emulator::ptx::mma<" + std::to_string(shape->m) + ", " +
                    std::to_string(shape->n) + ", " + std::to_string(shape->k);
  for (const std::string_view type : {a, b, c, d}) {
    result.function += ", ::emulator::detail::MatrixType::" + std::string(type);
  }
  result.function += saturates ? ", true" : ", false";
  if (has_and) result.function += ", ::emulator::detail::BitOperation::both";
  result.function += ">";
  return result;
}

}  // namespace

std::optional<PtxMatrixInstruction> ptx_matrix_instruction(std::string_view name) {
  const Parts parts = parts_of(name);
  if (parts.empty()) return std::nullopt;
  if (parts[0] == "ldmatrix" || parts[0] == "stmatrix") return rows_of(parts);
  if (parts[0] == "mma") return product_of(parts);
  return std::nullopt;
}

}  // namespace emulator
