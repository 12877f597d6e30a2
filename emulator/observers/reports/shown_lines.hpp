#pragma once
/// \file
/// Which lines of the source a listing shows.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/rooms.hpp"
#include "base/source_files.hpp"
#include "observers/reports/kernel_traffic.hpp"

namespace emulator::reports {

/// A stretch of lines to show, counted from 1, both ends included.
struct LineRange {
  int first = 0;
  int last = 0;
};

/// Whether `name` is in the text as a word of its own.
bool has_word(std::string_view text, std::string_view name);

/// The stretches that show all `counted` lines (ascending) with something around them: the
/// head of the kernel, or of a device function, if it is at most 8 lines above the first, and else
/// two lines; larger gaps are left out.
std::vector<LineRange> ranges_to_show(const std::vector<int>& counted,
                                      const std::vector<std::string>& source,
                                      std::string_view kernel);

/// The files with counts, the one that defines the kernel first. Of the others those in which the
/// kernel uses no memory are left out: they are headers mostly, and none of the reader's business.
std::vector<std::string> files_to_show(const KernelTraffic& kernel, SourceFiles& files);

}  // namespace emulator::reports
