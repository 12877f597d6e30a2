#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "compiler/text/cuda_text.hpp"

/// \file
/// The functions of a program that are for the device, and which of them the user wrote.

namespace emulator::compiler::text {

/// A function with `__global__` or `__device__`, by its tokens.
struct DeviceFunction {
  std::size_t begin;  ///< token: the declaration's first
  std::size_t name;
  std::size_t parameters;      ///< `(`
  std::size_t parameters_end;  ///< `)`
  std::size_t open = nowhere;  ///< `{`, if there is a body
  std::size_t close = nowhere;
  bool is_kernel = false;
};

/// Whether a word is that of a number's type, or of another that is not large.
bool is_value_type(std::string_view word);

/// Finds them. The text must outlive this.
class DeviceFunctions {
 public:
  explicit DeviceFunctions(const CudaText& text);

  const std::vector<DeviceFunction>& all() const { return functions_; }
  /// Whether token i is in the user's own text, and not in a system header.
  bool is_user_code(std::size_t i) const;
  /// The first token of the declaration that token i is part of.
  std::size_t declaration_begin(std::size_t i) const;

 private:
  struct Region {
    std::size_t begin;
    bool users;
  };

  void find_user_parts();
  void read(std::size_t i);

  const CudaText& text_;
  std::vector<Region> regions_;
  std::vector<DeviceFunction> functions_;
};

}  // namespace emulator::compiler::text
