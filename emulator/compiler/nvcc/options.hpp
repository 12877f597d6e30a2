#pragma once
/// \file
/// The options of nvcc, and what emucc does about each.

#include <span>
#include <string_view>

#include "compiler/nvcc/request.hpp"

namespace emulator::compiler::nvcc {

/// How an option is followed by its value.
enum class ValueForm {
  none,
  joined,    ///< `-Ifolder` or `-I folder`
  separate,  ///< `-arch sm_80` or `-arch=sm_80`
};

/// What emucc does about an option.
enum class Effect { honoured, ignored, refused };

struct Option {
  std::string_view name;
  std::string_view long_name;  ///< may be empty
  ValueForm value;
  Effect effect;
  std::string_view text;                                  ///< for --help, or why it is refused
  void (*apply)(Request&, const std::string&) = nullptr;  ///< of an honoured one
};

/// Whether it has another name of its own: that of the others is the same with two dashes.
inline bool has_long_name(const Option& option) {
  return !option.long_name.empty() && option.long_name.substr(1) != option.name;
}

/// All options, each once.
std::span<const Option> all_options();

/// Splits at commas and white space, as nvcc does with -Xcompiler; quotes keep together.
Arguments split_list(std::string_view text);

/// Adds `-lNAME`: NVIDIA's libraries become parts of the emulator, others are left to the linker.
/// \throws UsageError for one of NVIDIA's that the emulator does not model
void add_library(Request& request, const std::string& name);

}  // namespace emulator::compiler::nvcc
