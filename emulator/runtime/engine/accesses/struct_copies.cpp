#include "engine/accesses/struct_copies.hpp"

#include <algorithm>
#include <iterator>

// What the translator has left, of all object files together.
extern const emulator::engine::TypeShape __start_emulator_types[] __attribute__((weak));
extern const emulator::engine::TypeShape __stop_emulator_types[] __attribute__((weak));

namespace emulator::engine {
namespace {

constexpr std::size_t widest = 16;  // that one instruction moves

// Where no type is known.
std::size_t usual_piece(std::size_t bytes) {
  return bytes == 2 || bytes == 4 ? bytes / 2 : 4;
}

// Whether a type can be that of an object for which g++ has reported a range.
bool makes_ranges(const TypeShape& type) {
  return type.size > widest || type.alignment < std::min<std::size_t>(type.size, 8);
}

}  // namespace

PieceSizes::PieceSizes(const TypeShape* begin, const TypeShape* end) {
  std::copy_if(begin, end, std::back_inserter(types_), makes_ranges);
  std::sort(types_.begin(), types_.end(), [](const TypeShape& a, const TypeShape& b) {
    return a.size != b.size ? a.size < b.size : a.alignment < b.alignment;
  });
}

std::size_t PieceSizes::operator()(std::size_t bytes, std::uintptr_t address) const {
  const auto type =  // the least aligned of that size
      std::lower_bound(types_.begin(), types_.end(), bytes,
                       [](const TypeShape& a, std::size_t size) { return a.size < size; });
  const bool known = type != types_.end() && type->size == bytes;
  std::size_t piece = known ? std::min(type->alignment, widest) : usual_piece(bytes);
  while (piece > 1 && ((address | bytes) & (piece - 1)) != 0) piece /= 2;
  return piece;
}

const PieceSizes& piece_sizes() {
  static const PieceSizes sizes(__start_emulator_types, __stop_emulator_types);
  return sizes;
}

}  // namespace emulator::engine
