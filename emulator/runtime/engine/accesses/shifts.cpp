/// \file
/// The functions that g++ -fsanitize=shift-exponent calls for a shift that C++ does not define.

#include <cstdint>
#include <string>

#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"

namespace emulator::engine {
namespace {

// What g++ passes to the handler for a shift, as far as we read it.
struct ShiftUse {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const std::uint16_t* left;   // its type: two numbers of 16 bits, then the name in quotes
  const std::uint16_t* right;  // likewise
};

// The second number says whether the type has a sign, and its width as a power of two.
bool is_signed(const std::uint16_t* type) {
  return (type[1] & 1U) != 0;
}
unsigned bits_of(const std::uint16_t* type) {
  return 1U << (type[1] >> 1U);
}

void report_shift(const ShiftUse& use, std::uint64_t amount, void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  const OutsideKernel outside;
  const unsigned unused = 64 - bits_of(use.right);
  const auto number = static_cast<std::int64_t>(amount << unused) >> unused;
  const std::string shown = is_signed(use.right) ? std::to_string(number) : std::to_string(amount);
  report_wide_shift(*lane, shown, bits_of(use.left), reinterpret_cast<std::uintptr_t>(pc));
}

}  // namespace
}  // namespace emulator::engine

using namespace emulator::engine;  // NOLINT: the hooks below live in the global namespace

extern "C" {

// Called for a shift by less than 0 or by as many bits as there are (-fsanitize=shift-exponent).
// Types wider than 64 bits come by address, and are let pass.
void __ubsan_handle_shift_out_of_bounds(const ShiftUse* use, std::uint64_t, std::uint64_t amount) {
  if (bits_of(use->right) <= 64) report_shift(*use, amount, __builtin_return_address(0));
}
void __ubsan_handle_shift_out_of_bounds_abort(const ShiftUse* use, std::uint64_t,
                                              std::uint64_t amount) {
  if (bits_of(use->right) <= 64) report_shift(*use, amount, __builtin_return_address(0));
}

}  // extern "C"
