#include "engine/fault_address.hpp"

#include <ucontext.h>

#include <cstddef>
#include <cstring>

namespace emulator::engine {

#if defined(__x86_64__)
namespace {

// The registers by their numbers in an instruction.
constexpr int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                             REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                             REG_R12, REG_R13, REG_R14, REG_R15};

// What comes before ModRM: legacy prefixes, REX or VEX, and the opcode.
struct Prefixes {
  bool base = false;   // the registers' numbers are 8 and more
  bool index = false;  // likewise
  std::size_t bytes = 0;
};

std::optional<Prefixes> read_prefixes(const std::uint8_t* code) {
  Prefixes result;
  const std::uint8_t* at = code;
  while (*at == 0x66 || *at == 0xF2 || *at == 0xF3) ++at;
  if (*at == 0xC5) {  // VEX of two bytes: all that it could say of a base is no
    at += 3;
  } else if (*at == 0xC4) {
    result.index = (at[1] & 0x40U) == 0;
    result.base = (at[1] & 0x20U) == 0;
    at += 4;
  } else {
    if ((*at & 0xF0U) == 0x40) {
      result.index = (*at & 2U) != 0;
      result.base = (*at & 1U) != 0;
      ++at;
    }
    if (*at == 0x0F) {
      ++at;
      if (*at == 0x38 || *at == 0x3A) ++at;
    }
    const std::uint8_t opcode = *at++;
    if ((opcode & 0xF0U) == 0x70 && code[0] != 0x66) return std::nullopt;  // a jump
  }
  result.bytes = static_cast<std::size_t>(at - code);
  return result;
}

template <class T>
std::uintptr_t displacement(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<std::uintptr_t>(static_cast<std::intptr_t>(value));
}

}  // namespace

std::optional<std::uintptr_t> address_of_operand(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto value_of = [&](unsigned number) {
    return static_cast<std::uintptr_t>(machine.gregs[registers[number]]);
  };
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a register is a number
  const auto* const code = reinterpret_cast<const std::uint8_t*>(machine.gregs[REG_RIP]);
  const std::optional<Prefixes> prefixes = read_prefixes(code);
  if (!prefixes) return std::nullopt;
  const std::uint8_t* at = code + prefixes->bytes;
  const unsigned mode = *at >> 6U;
  const unsigned low = *at & 7U;
  ++at;
  if (mode == 3) return std::nullopt;  // registers alone
  std::uintptr_t address = 0;
  bool wide = mode == 2;
  if (low == 4) {  // base + index * scale
    const unsigned base = *at & 7U;
    const unsigned index = (*at >> 3U & 7U) + (prefixes->index ? 8U : 0U);
    if (index != 4) address += value_of(index) << (*at >> 6U);
    ++at;
    if (base == 5 && mode == 0) {
      wide = true;
    } else {
      address += value_of(base + (prefixes->base ? 8U : 0U));
    }
  } else if (low == 5 && mode == 0) {
    return std::nullopt;  // a place in the program, which is always there
  } else {
    address += value_of(low + (prefixes->base ? 8U : 0U));
  }
  if (mode == 1) address += displacement<std::int8_t>(at);
  if (wide) address += displacement<std::int32_t>(at);
  return address;
}

namespace {

// What x86-64 calls by one name for each width: the low bytes of a register.
std::uintptr_t low_bytes(std::uintptr_t value, unsigned bytes) {
  return bytes == 8 ? value : value & ((std::uintptr_t{1} << (8 * bytes)) - 1);
}

// 32 bits clear the upper half, fewer leave the rest.
void set_low_bytes(greg_t& place, std::uintptr_t value, unsigned bytes) {
  const auto before = static_cast<std::uintptr_t>(place);
  const std::uintptr_t rest = bytes < 4 ? before - low_bytes(before, bytes) : 0;
  place = static_cast<greg_t>(rest + low_bytes(value, bytes));
}

// The bytes of ModRM, SIB and displacement.
std::size_t operand_bytes(const std::uint8_t* at) {
  const unsigned mode = *at >> 6U;
  const unsigned low = *at & 7U;
  const bool has_index = mode != 3 && low == 4;
  const bool is_wide = mode == 2 || (mode == 0 && (low == 5 || (has_index && (at[1] & 7U) == 5)));
  return 1U + (has_index ? 1U : 0U) + (mode == 1 ? 1U : 0U) + (is_wide ? 4U : 0U);
}

}  // namespace

std::optional<PassedDivision> pass_over_division(void* context) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a register is a number
  const auto* const code = reinterpret_cast<const std::uint8_t*>(machine.gregs[REG_RIP]);
  const std::optional<Prefixes> prefixes = read_prefixes(code);
  if (!prefixes) return std::nullopt;
  const std::uint8_t* const operand = code + prefixes->bytes;
  const std::uint8_t opcode = operand[-1];
  const unsigned which = *operand >> 3U & 7U;  // 6: div, 7: idiv
  if ((opcode != 0xF6 && opcode != 0xF7) || which < 6) return std::nullopt;
  const bool has_rex = (operand[-2] & 0xF0U) == 0x40 && prefixes->bytes > 1;
  unsigned bytes = code[0] == 0x66 ? 2 : 4;
  if (has_rex && (operand[-2] & 8U) != 0) bytes = 8;
  if (opcode == 0xF6) bytes = 1;

  std::uintptr_t divisor = 0;
  if (*operand >> 6U == 3) {
    const unsigned number = (*operand & 7U) + (prefixes->base ? 8U : 0U);
    const bool is_second_byte = bytes == 1 && !has_rex && number >= 4;  // ah, ch, dh, bh
    const auto held = machine.gregs[registers[is_second_byte ? number - 4 : number]];
    divisor = static_cast<std::uintptr_t>(held) >> (is_second_byte ? 8U : 0U);
  } else if (const auto address = address_of_operand(context)) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): that is where it is
    std::memcpy(&divisor, reinterpret_cast<const void*>(*address), bytes);
  }
  const bool by_zero = low_bytes(divisor, bytes) == 0;
  auto& quotient = machine.gregs[REG_RAX];
  const auto dividend = static_cast<std::uintptr_t>(quotient);
  const std::uintptr_t rest = by_zero ? dividend : 0;
  if (bytes == 1) {  // both are in ax
    set_low_bytes(quotient, (by_zero ? 0xFFU : low_bytes(dividend, 1)) | low_bytes(rest, 1) << 8U,
                  2);
  } else {
    if (by_zero) set_low_bytes(quotient, ~std::uintptr_t{0}, bytes);
    set_low_bytes(machine.gregs[REG_RDX], rest, bytes);
  }
  const auto next = reinterpret_cast<std::uintptr_t>(operand + operand_bytes(operand));
  machine.gregs[REG_RIP] = static_cast<greg_t>(next);
  return PassedDivision{by_zero, next};
}

bool was_read(const void* context) {
  constexpr greg_t write = 2;  // in the error code of a page fault
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write) == 0;
}
#else
std::optional<std::uintptr_t> address_of_operand(const void*) {
  return std::nullopt;
}

bool was_read(const void*) {
  return false;
}

std::optional<PassedDivision> pass_over_division(void*) {
  return std::nullopt;
}
#endif

}  // namespace emulator::engine
