#pragma once
/// \file
/// One problem or many of one shape, whose operands are a fixed number of elements apart, or at
/// addresses from an array.

#include <cstdint>
#include <string>

#include "libraries/cublas/call.hpp"

namespace emulator::cublas {

/// The operand of each problem, as a function of its number.
template <class T>
auto strided(T* first, long long stride) {
  return [=](std::int64_t i) {
    const auto bytes = static_cast<std::uintptr_t>(i) * static_cast<std::uintptr_t>(stride) *
                       std::uintptr_t{sizeof(T)};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a product that wraps round is found out later
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(first) + bytes);
  };
}

/// \param is_used whether the array is looked at
template <class T>
auto from_array(Call& call, const char* name, T* const* addresses, std::int64_t count,
                bool is_used) {
  if (is_used) call.reads(name, Line<T* const>{addresses, count});
  return [=](std::int64_t i) { return is_used ? addresses[i] : nullptr; };
}

/// Checks all problems of a batch, then solves them. Problem has access(call, suffix, a, b, c) and
/// run(a, b, c).
template <class Problem, class A, class B, class C>
void run_batch(Call& call, const Problem& problem, std::int64_t count, A a, B b, C c) {
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    problem.access(call, "[" + std::to_string(i) + "]", a(i), b(i), c(i));
  }
  if (!call.ok()) return;
  for (std::int64_t i = 0; i < count; ++i) problem.run(a(i), b(i), c(i));
}

}  // namespace emulator::cublas
