/// @file
/// Measuring at shapes drawn at random: draw.hpp says why, and which.
#pragma once

#include "cold_cache.hpp"
#include "measure_options.hpp"
#include "nvml.hpp"
#include "record.hpp"
#include "registry.hpp"

namespace course::measure {

/// Measures each kernel that wants it (see `drawn` in registry.hpp) against cuBLAS, in turns and
/// with a cold cache, and adds what came of it to the result.
/// @throws Error on a wrong result, naming kernel and shape, or if a CUDA call fails
void measure_drawn(const MeasureOptions& options, const Registry& registry, ClockWatch& watch,
                   ColdCache& cold, Measurement& result);

}  // namespace course::measure
