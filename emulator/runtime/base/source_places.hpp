#pragma once
/// \file
/// From places in the machine code back to the source, by way of the debug information that the
/// program was compiled with (-g).

#include <cstdint>
#include <string>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::base {

/// A line of the source.
struct SourceLine {
  std::string file = "?";  ///< ? if nothing is known
  int line = 0;            ///< counted from 1
};

/// A line of the source, and the functions that it was inlined into.
struct SourcePlace : SourceLine {
  std::vector<std::string> functions;  ///< innermost first, with template arguments and parameters
  std::vector<SourceLine> callers;     ///< the lines whose calls were inlined, innermost first

  /// The innermost of these lines that is not a library's; null if there is none.
  const SourceLine* programs_line() const;
};

/// Whether that is a header of NVIDIA's core libraries (Thrust, CUB, libcu++), or of cuRAND's for
/// kernels: what happens there, a line of the program has asked for.
bool is_of_library(const std::string& file);

/// Where the call that returns to `pc` is. Code of the emulator's own headers and of the
/// standard library counts as part of the line that it was inlined into.
const SourcePlace& place_of(std::uint64_t pc);

/// The address of the function that has this place in its code, by the program's symbols; 0 if they
/// do not say.
std::uintptr_t function_begin(std::uintptr_t place);

/// The kernel's name with its template arguments, `sum<float, 256>`, if one of these functions is
/// an instance of it; else empty.
/// \param kernel as written at the launch, perhaps qualified, without template arguments
std::string instance_among(const std::string& kernel, const std::vector<std::string>& functions);

/// A function's name without its type, namespaces and parameters, but with its template arguments:
/// `void a::sum<float>(float*)` is `sum<float>`.
std::string plain_name(const std::string& function);

/// The kernel at this address, by its plain name; where that is unknown, as it was launched, which
/// may be the name of a variable.
/// \param function may be null
std::string kernel_name(const char* launched_as, const void* function);

}  // namespace emulator::base
