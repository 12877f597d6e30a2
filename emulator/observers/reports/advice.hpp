#pragma once
/// \file
/// What to do about the lines that cost a kernel most.

#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "observers/reports/access_patterns.hpp"
#include "observers/reports/kernel_traffic.hpp"

namespace emulator::reports {

/// The most sentences per kernel.
inline constexpr std::size_t most_advice = 8;

/// A pattern on a line that is not marked is worth a sentence from this share of the kernel's
/// traffic on, in per cent.
inline constexpr unsigned advice_percent = 5;

/// One sentence for each pattern that costs much, worst first, each with its lines before it:
/// "line 23: ...". Lines of another file than `main_file` name theirs.
std::vector<std::string> advice(const KernelTraffic& kernel, const std::string& main_file);

/// The sentence about a pattern, without its lines. `structure` says that other instructions
/// confirmed its stride to be that of an array of structures.
std::string sentence(const AccessPattern& about, const InstructionTraffic& instruction,
                     bool structure);

/// A sentence for the lines whose figures are sums over several calls: a function that was inlined
/// at each of them is one function in the source.
std::vector<std::string> counted_together(const KernelTraffic& kernel,
                                          const std::string& main_file);

}  // namespace emulator::reports
