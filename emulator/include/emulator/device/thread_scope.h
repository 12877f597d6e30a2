#pragma once
#pragma GCC system_header
/// \file
/// What barriers, pipelines and atomics of namespace cuda have in common: whose they are, and how
/// the memory is aligned that they copy.

#include <cstddef>

#include "emulator/inline.h"

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread = 10
};

/// A number of bytes, and an alignment that size and addresses have.
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  EMULATOR_INLINE explicit constexpr aligned_size_t(std::size_t size) noexcept : value(size) {}
  EMULATOR_INLINE constexpr operator std::size_t() const noexcept { return value; }
};

}  // namespace cuda
