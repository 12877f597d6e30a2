/// @file
/// The ladder as a table: what each rung costs, next to the rung before it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters.hpp"
#include "console/terminal.hpp"
#include "results.hpp"

namespace course::tool {

enum class Outcome { passed, failed, skipped };

/// What became of one chapter on the tour.
struct TourStop {
  Chapter chapter;
  Outcome outcome = Outcome::passed;
  std::string reason;            ///< one line, if it did not pass
  std::optional<Report> report;  ///< if it wrote one
};

/// The table and what is needed to read it: device, shapes, the reasons of what failed or was
/// skipped, and what the columns mean. At most 100 columns wide, reasons aside.
///
/// A rung is compared with the rung before it that did the same work on the same shape and was
/// verified; chapters that are not rungs, and library kernels (`cublas…`), are no one's previous
/// rung. A kernel that did not verify shows no figures: how fast a wrong result comes says nothing.
std::string ladder_text(const std::vector<TourStop>& stops, std::size_t width = any_width);

}  // namespace course::tool
