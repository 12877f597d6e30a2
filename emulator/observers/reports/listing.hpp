#pragma once
/// \file
/// A kernel's source with its traffic beside each line.

#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/traffic.h"
#include "observers/reports/kernel_traffic.hpp"

namespace emulator::reports {

/// The listing of the kernels, as emulator::listing() returns it. Reads their source files. At
/// least 60 columns are used, however few the style asks for.
std::string render(const std::vector<KernelTraffic>& kernels, const ListingStyle& style);

}  // namespace emulator::reports
