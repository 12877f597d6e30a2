#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/device_functions.hpp"
#include "compiler/text/line_map.hpp"

/// \file
/// What kernel_rules.hpp has to say of a program, while it is being read.

namespace emulator::compiler::diagnose {

/// Messages about the tokens of a text.
class RuleMessages {
 public:
  RuleMessages(const text::CudaText& text, const text::LineMap& lines)
      : text_(text), lines_(lines) {}

  /// Says something of token i, unless something has been said of it.
  void add(std::size_t i, const std::string& message);

  /// Token i in quotes.
  std::string quote(std::size_t i) const { return "'" + std::string(text_.word(i)) + "'"; }

  /// `file.cu:12:5: error: ...`, one a line of the program, in its order.
  std::vector<std::string> lines() const;

 private:
  const text::CudaText& text_;
  const text::LineMap& lines_;
  std::map<std::size_t, std::string> messages_;  // by their place in the text
};

/// Whether a function differs for the host, and may do there what it likes.
bool has_host_body(const text::CudaText& text, const text::DeviceFunction& function);

}  // namespace emulator::compiler::diagnose
