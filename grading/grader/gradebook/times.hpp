/// @file
/// Points in time, as teachers and gradebooks write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace course::tool::grading {

/// How a time has to be written, for messages.
inline constexpr char time_form[] = "2026-11-20T23:59+01:00 (or Z for UTC)";

/// Seconds since 1970 of a time with its zone: 2026-11-20T23:59+01:00, 2026-11-20 22:59:00 Z.
/// Nothing if the text is anything else; without a zone nobody knows when it is.
std::optional<std::int64_t> parse_time(const std::string& text);

/// "2026-11-20T22:59:00Z".
std::string time_text(std::int64_t seconds);

}  // namespace course::tool::grading
