#pragma once
/// \file
/// Text for listings: numbers that fit a column, and lines broken to a width.
///
/// Widths are columns of a terminal, not bytes: a character of UTF-8 is never cut.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::base {

/// A count in at most 6 characters: 1234, 99999, 123.5k, 16.8M, 1.0T.
std::string short_count(std::uint64_t count);

/// `part` for each of `whole` with one decimal, "31.9"; empty if `whole` is 0.
std::string mean(std::uint64_t part, std::uint64_t whole);

/// The same for a sentence: "32" in place of "32.0".
std::string plain_mean(std::uint64_t part, std::uint64_t whole);

/// Per cent in whole numbers: "12%", "<1%"; "100%" only where nothing is missing.
std::string percent(std::uint64_t part, std::uint64_t whole);

/// The same for a sentence, with a decimal where it tells more: "12.5 %".
std::string plain_percent(std::uint64_t part, std::uint64_t whole);

/// "1 sector", "2 sectors", "31.9 sectors".
std::string counted(const std::string& number, const std::string& singular);

/// Columns that a text takes on a terminal.
std::size_t columns(std::string_view text);

/// The text with tabs (to the next multiple of 4) as spaces, without blanks at its end, and with a
/// question mark for whatever is not printable UTF-8.
std::string printable(std::string_view text);

/// Breaks a printable text into pieces of at most `width` columns, between words where it can. All
/// but the first begin with `hanging` spaces, or with half the width if that is less.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t hanging);

}  // namespace emulator::base
