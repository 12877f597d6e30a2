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
  std::string file;
  int line = 0;  ///< counted from 1
};

/// A line of the source, and the functions that it was inlined into.
struct SourcePlace {
  std::string file = "?";              ///< ? if nothing is known
  int line = 0;                        ///< counted from 1
  std::vector<std::string> functions;  ///< innermost first, with template arguments and parameters
  std::vector<SourceLine> callers;     ///< the lines whose calls were inlined, innermost first
};

/// Where the call that returns to `pc` stands. Code of the emulator's own headers and of the
/// standard library counts as part of the line that it was inlined into.
const SourcePlace& place_of(std::uint64_t pc);

/// The kernel's name with its template arguments, `sum<float, 256>`, if one of these functions is
/// an instance of it; else empty.
/// \param kernel as written at the launch, perhaps qualified, without template arguments
std::string instance_among(const std::string& kernel, const std::vector<std::string>& functions);

/// A function's name without its type, namespaces and parameters, but with its template arguments:
/// `void a::sum<float>(float*)` is `sum<float>`.
std::string plain_name(const std::string& function);

}  // namespace emulator::base
