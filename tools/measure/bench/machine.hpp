/// @file
/// What a results file says of the GPU and of the software that drives it.
#pragma once

#include "clocks/nvml.hpp"
#include "results/record.hpp"

namespace course::measure {

/// Asks the driver, the runtime and the libraries, and NVML by way of the watch.
Machine describe_machine(const ClockWatch& watch);

}  // namespace course::measure
