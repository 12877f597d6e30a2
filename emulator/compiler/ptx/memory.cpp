#include "compiler/ptx/memory.hpp"

#include <algorithm>

#include "compiler/ptx/syntax.hpp"

namespace emulator::compiler::ptx {
namespace {

// What an instruction's name says, part by part.
struct Access {
  const InstructionFamily* family = nullptr;
  std::string type;
  std::string operation;  // of atomic ones
  std::string order;      // relaxed, acquire, release, acq_rel; empty if weak
  bool only_block = false;
  bool only_cluster = false;
  unsigned elements = 1;
  bool is_shared = false;
  bool is_volatile = false;
  bool has_policy = false;  // an operand more, which means nothing here
  bool is_counted = false;  // on an mbarrier: its bytes
};

bool is_in(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = split(list, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

// `st.async` goes before `st`.
const InstructionFamily* family_of(std::string_view name) {
  const InstructionFamily* found = nullptr;
  for (const InstructionFamily& family : instruction_families()) {
    const std::size_t size = family.name.size();
    if (!name.starts_with(family.name) || name.substr(size, 1) != ".") continue;
    if (found == nullptr || size > found->name.size()) found = &family;
  }
  return found;
}

constexpr std::string_view operations = "add min max inc dec and or xor exch cas";

void read_part(Access& access, std::string_view part, std::string_view name) {
  if (is_in(access.family->spaces, part)) {
    access.is_shared = access.is_shared || part.starts_with("shared");
  } else if (part == "v2" || part == "v4") {
    access.elements = part == "v2" ? 2 : 4;
  } else if (is_in(access.family->types, part)) {
    access.type = part;
  } else if (!is_in(access.family->parts, part)) {
    throw StatementError{"." + std::string(part) + " in " + std::string(name) + " is not modelled"};
  } else if (is_in(operations, part)) {
    access.operation = part;
  } else if (part == "volatile" || part == "mmio") {
    access.is_volatile = true;
  } else if (is_in("relaxed acquire release acq_rel", part)) {
    access.order = part;
  } else if (part == "cta") {
    access.only_block = true;
  } else if (part == "cluster") {
    access.only_cluster = true;
  } else if (part == "L2::cache_hint") {
    access.has_policy = true;
  } else if (part == "mbarrier::complete_tx::bytes") {
    access.is_counted = true;
  }
}

Access access_of(std::string_view name) {
  Access access;
  access.family = family_of(name);
  for (const std::string_view part : split(name.substr(access.family->name.size()), '.')) {
    read_part(access, part, name);
  }
  if (access.type.empty()) throw StatementError{std::string(name) + " has no type"};
  const unsigned bits = access.elements * width(access.type);
  if (bits > 128) throw StatementError{std::string(name) + " moves more than 16 bytes"};
  return access;
}

// A fence before or after an access, as its order wants it.
std::string fence(const Access& access) {
  return access.only_block ? "::__threadfence_block()" : "::__threadfence()";
}
std::string before(const Access& access) {
  return access.order == "release" || access.order == "acq_rel" ? fence(access) + "; " : "";
}
std::string behind(const Access& access) {
  return access.order == "acquire" || access.order == "acq_rel" ? "; " + fence(access) : "";
}

// What is accessed at once, in C++: a vector of CUDA's, so that it counts as one access.
std::string vector_type(const Access& access) {
  if (access.elements == 1) return std::string(cpp_type(access.type));
  return "::emulator::ptx::Vector<" + std::string(cpp_type(access.type)) + ", " +
         std::to_string(access.elements) + ">::type";
}

std::vector<std::string_view> elements_of(std::string_view text, const Access& access) {
  if (access.elements == 1) return {text};
  if (!text.starts_with("{") || !text.ends_with("}")) throw StatementError{"a vector needs braces"};
  std::vector<std::string_view> parts = split(text.substr(1, text.size() - 2), ',');
  if (parts.size() != access.elements)
    throw StatementError{"a vector has too many or too few elements"};
  return parts;
}

void check_count(std::string_view name, const Access& access, std::size_t count,
                 std::size_t wanted) {
  if (count == wanted + (access.has_policy ? 1 : 0)) return;
  throw StatementError{std::string(name) + " does not take " + std::to_string(count) + " operands"};
}

// Whether it must be one access that no compiler splits or leaves out.
bool is_strong(const Access& access) {
  return (access.is_volatile || !access.order.empty()) &&
         access.elements * width(access.type) <= 128;
}

std::string load(const SymbolTable& symbols, std::string_view name, const Access& access,
                 const std::vector<std::string_view>& arguments) {
  check_count(name, access, arguments.size(), 2);
  const std::string type = vector_type(access);
  const std::string from = symbols.address(arguments[1], access.is_shared);
  std::string code = "const " + type + " loaded = ";
  code += is_strong(access) ? "::emulator::ptx::load_strong<" + type + ">(" + from + ")"
                            : "*static_cast<const " + type + "*>(" + from + ")";
  code += behind(access);
  const std::vector<std::string_view> parts = elements_of(arguments[0], access);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string element =
        access.elements == 1 ? "loaded" : std::string("loaded.") + "xyzw"[i];
    code += "; " + symbols.assign(parts[i], access.type, element, true);
  }
  return code;
}

std::string values(const SymbolTable& symbols, std::string_view text, const Access& access,
                   bool wider) {
  const std::vector<std::string_view> parts = elements_of(text, access);
  if (access.elements == 1) return symbols.value(parts[0], access.type, wider);
  std::string code = vector_type(access) + "{";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    code += (i > 0 ? ", " : "") + symbols.value(parts[i], access.type, wider);
  }
  return code + "}";
}

std::string store(const SymbolTable& symbols, std::string_view name, const Access& access,
                  const std::vector<std::string_view>& arguments) {
  check_count(name, access, arguments.size(), 2);
  const std::string type = vector_type(access);
  const std::string to = symbols.address(arguments[0], access.is_shared);
  const std::string value = values(symbols, arguments[1], access, true);
  if (is_strong(access)) {
    return before(access) + "::emulator::ptx::store_strong<" + type + ">(" + to + ", " + value +
           ")";
  }
  return before(access) + "*static_cast<" + type + "*>(" + to + ") = " + value;
}

bool has_operation(const Access& access) {
  const std::string_view type = access.type;
  const std::string_view operation = access.operation;
  if (access.elements > 1) return operation == "add" && type == "f32" && !access.is_shared;
  if (operation == "add") return is_in("u32 s32 u64 f32 f64 f16 f16x2 bf16 bf16x2", type);
  if (operation == "min" || operation == "max") return is_in("u32 s32 u64 s64", type);
  if (operation == "inc" || operation == "dec") return type == "u32";
  if (operation == "cas") return is_in("b16 b32 b64", type);
  return is_in("b32 b64", type);
}

std::string atomic(const SymbolTable& symbols, std::string_view name, const Access& access,
                   const std::vector<std::string_view>& arguments) {
  const bool returns = access.family->name == "atom";
  const bool compares = access.operation == "cas";
  if (access.operation.empty()) throw StatementError{std::string(name) + " has no operation"};
  if (!has_operation(access) || (!returns && (compares || access.operation == "exch"))) {
    throw StatementError{"there is no " + std::string(name)};
  }
  check_count(name, access, arguments.size(), (returns ? 2U : 1U) + (compares ? 2U : 1U));
  const std::size_t at = returns ? 1 : 0;
  const std::string type = vector_type(access);
  std::string call = "::emulator::ptx::atom_" + access.operation + "<" + type + ">(" +
                     symbols.address(arguments[at], access.is_shared) + ", " +
                     values(symbols, arguments[at + 1], access, false);
  if (compares) call += ", " + values(symbols, arguments[at + 2], access, false);
  call += std::string(", ") + (returns ? "false" : "true") + ")";
  if (!returns) return before(access) + "static_cast<void>(" + call + ")" + behind(access);
  std::string code = before(access) + "const " + type + " old = " + call + behind(access);
  const std::vector<std::string_view> parts = elements_of(arguments[0], access);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string element = access.elements == 1 ? "old" : std::string("old.") + "xyzw"[i];
    code += "; " + symbols.assign(parts[i], access.type, element);
  }
  return code;
}

// The operation of red.async as the runtime has it; empty if there is none.
std::string_view async_operation(const Access& access) {
  const std::string_view type = access.type;
  const std::string_view operation = access.operation;
  const bool has_32 = type == "u32" || type == "s32";
  if (operation == "add") return has_32 || is_in("u64 s64", type) ? "add" : "";
  if (operation == "min" && has_32) return type == "s32" ? "signed_min" : "min";
  if (operation == "max" && has_32) return type == "s32" ? "signed_max" : "max";
  if (type == "u32" && is_in("inc dec", operation)) return operation;
  if (type != "b32") return "";
  return operation == "and"   ? "bits_and"
         : operation == "or"  ? "bits_or"
         : operation == "xor" ? "bits_xor"
                              : "";
}

// A store or a reduction whose end an mbarrier signals.
std::string asynchronous(const SymbolTable& symbols, std::string_view name, const Access& access,
                         const std::vector<std::string_view>& arguments) {
  check_count(name, access, arguments.size(), 3);
  if (!access.is_counted) throw StatementError{std::string(name) + " is not modelled"};
  const std::string to = symbols.address(arguments[0], access.is_shared);
  const std::string barrier = symbols.address(arguments[2], access.is_shared);
  const std::string type = vector_type(access);
  const std::string value =
      "const " + type + " brought = " + values(symbols, arguments[1], access, false) + "; ";
  if (access.family->name == "st.async") {
    return value + "::emulator::detail::async_store(" + to + ", brought, " + barrier + ")";
  }
  const std::string_view operation = async_operation(access);
  if (operation.empty() || access.elements > 1 || access.order.empty() || !access.only_cluster) {
    throw StatementError{"there is no " + std::string(name)};
  }
  return value + "::emulator::detail::async_reduce(" + to + ", brought, " + barrier +
         ", ::emulator::detail::AsyncOperation::" + std::string(operation) + ")";
}

}  // namespace

const std::vector<InstructionFamily>& instruction_families() {
  static const std::vector<InstructionFamily> families = {
      {"ld",
       "weak relaxed acquire volatile mmio cta cluster gpu sys ca cg cs lu cv nc L1::no_allocate "
       "L1::evict_normal L1::evict_last L1::evict_first L1::evict_unchanged L2::evict_normal "
       "L2::evict_last L2::evict_first L2::64B L2::128B L2::256B L2::cache_hint",
       "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 b128",
       "Caches, hints and policies change nothing. `.acquire` is a load with a fence after it."},
      {"st",
       "weak relaxed release volatile mmio cta cluster gpu sys wb cg cs wt L1::no_allocate "
       "L1::evict_normal L1::evict_last L1::evict_first L1::evict_unchanged L2::evict_normal "
       "L2::evict_last L2::evict_first L2::cache_hint",
       "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 b128",
       "`.release` is a store with a fence before it."},
      {"atom",
       "add min max inc dec and or xor exch cas relaxed acquire release acq_rel cta cluster gpu "
       "sys noftz L2::cache_hint",
       "b16 b32 u32 s32 b64 u64 s64 f32 f64 f16 f16x2 bf16 bf16x2",
       "Real atomic operations, counted as those of `atomicAdd` and the like. `.add.f32` keeps "
       "denormal numbers in global memory as well, where a GPU makes them 0."},
      {"red",
       "add min max inc dec and or xor relaxed release cta cluster gpu sys noftz L2::cache_hint",
       "b32 u32 s32 b64 u64 s64 f32 f64 f16 f16x2 bf16 bf16x2", "As `atom`, without a result."},
      {"st.async", "weak mbarrier::complete_tx::bytes", "b32 u32 s32 f32 b64 u64 s64 f64",
       "Counts its bytes on an mbarrier beside the target, and arrives when something waits there.",
       "shared shared::cta shared::cluster"},
      {"red.async", "relaxed cluster add min max inc dec and or xor mbarrier::complete_tx::bytes",
       "b32 u32 s32 u64 s64", "Likewise.", "shared shared::cta shared::cluster"},
  };
  return families;
}

bool is_memory_instruction(std::string_view name) {
  return family_of(name) != nullptr && !name.starts_with("st.bulk");
}

std::string memory_instruction(const SymbolTable& symbols, std::string_view name,
                               const std::vector<std::string_view>& arguments) {
  const Access access = access_of(name);
  if (access.family->name.ends_with(".async")) {
    return asynchronous(symbols, name, access, arguments);
  }
  if (access.family->name == "ld") return load(symbols, name, access, arguments);
  if (access.family->name == "st") return store(symbols, name, access, arguments);
  return atomic(symbols, name, access, arguments);
}

}  // namespace emulator::compiler::ptx
