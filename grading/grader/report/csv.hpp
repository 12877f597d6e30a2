/// @file
/// CSV (RFC 4180): what a teacher hands in is read, what a spreadsheet or a gradebook takes is
/// written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::tool::grading {

/// A row of a table, with the line at which it begins.
struct CsvRow {
  std::size_t line = 0;
  std::vector<std::string> cells;  ///< as many as the table has columns
};

/// A table whose first row names the columns.
struct CsvTable {
  std::string file;  ///< its name in messages
  std::vector<std::string> columns;
  std::vector<CsvRow> rows;

  /// The column of that name, in upper or lower case.
  std::optional<std::size_t> column(const std::string& name) const;

  /// "roster.csv:3: ", for a message about a row.
  std::string at(const CsvRow& row) const { return file + ':' + std::to_string(row.line) + ": "; }
};

/// Reads a table: commas, or semicolons if the first line has no comma; quotes; a byte order mark;
/// ends of lines of any system. Cells are without blanks around them, empty rows are left out.
/// @throws Failure with status 2, in one line with file and line, if the text is no such table
CsvTable parse_csv(const std::string& text, const std::string& file);

/// The same of a file, which must have these columns.
CsvTable read_csv(const std::filesystem::path& file, const std::vector<std::string>& wanted);

/// Whether a spreadsheet would take a cell for a formula.
bool looks_like_formula(const std::string& text);

/// A cell as CSV has it: one line of clean UTF-8, an apostrophe before what looks like a formula,
/// in quotes if need be.
std::string csv_cell(const std::string& text);

}  // namespace course::tool::grading
