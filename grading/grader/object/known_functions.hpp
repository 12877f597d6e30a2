/// @file
/// What grading knows of functions that a submission may ask for: one row each, from which the
/// grader has what may call them, and the witness what they do.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace course::tool::grading {

/// What a function does with its arguments, a bit each: the first is 1. A structure that is passed
/// by value counts as the registers that it takes.
struct Uses {
  unsigned written = 0;     ///< behind which it writes
  unsigned answered = 0;    ///< its registers and results: only in frames of the caller's own
  unsigned called = 0;      ///< which it calls, or has called later
  bool in_kernels = false;  ///< device code may call it
};

/// Whether a submission may ask for a function, in every exercise.
enum class Verdict { allowed, refused };

struct KnownFunction {
  std::string_view name;  ///< with its namespaces, and without parameters
  Verdict verdict;
  Uses uses{};
  std::string_view shown{};  ///< what a submission calls it, if that is another name
};

/// CUDA's, as the chapters teach it: each that the emulator models.
std::span<const KnownFunction> functions_of_cuda();
/// What the emulator's headers call.
std::span<const KnownFunction> functions_of_emulator();

/// The row of a function; null if there is none.
/// @param symbol as the object file has it
const KnownFunction* known_function(const std::string& symbol);

/// What a symbol's function does, be it in a row or known by a part of its name.
Uses uses_of(const std::string& symbol);

// How rows are written ----------------------------------------------------------------------------

template <class... Numbers>
constexpr unsigned arguments(Numbers... numbers) {
  return ((1U << (numbers - 1)) | ...);
}
template <class... Numbers>
constexpr Uses writes(Numbers... numbers) {
  return {.written = arguments(numbers...)};
}
template <class... Numbers>
constexpr Uses answers(Numbers... numbers) {
  return {.answered = arguments(numbers...)};
}
template <class... Numbers>
constexpr Uses calls(Numbers... numbers) {
  return {.called = arguments(numbers...)};
}
constexpr Uses in_kernels{.in_kernels = true};
constexpr KnownFunction refused_as(std::string_view shown, std::string_view name, Uses uses = {}) {
  return {name, Verdict::refused, uses, shown};
}
constexpr Uses operator|(Uses a, Uses b) {
  return {a.written | b.written, a.answered | b.answered, a.called | b.called,
          a.in_kernels || b.in_kernels};
}

}  // namespace course::tool::grading
