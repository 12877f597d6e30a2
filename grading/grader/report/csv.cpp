#include "grader/report/csv.hpp"

#include <algorithm>

#include "grader/report/report.hpp"
#include "host/characters.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"

namespace course::tool::grading {
namespace {

std::string trimmed(const std::string& text) {
  constexpr char blanks[] = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// Takes rows off a text, one by one.
class Reader {
 public:
  Reader(const std::string& text, std::string file) : text_(text), file_(std::move(file)) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    const std::string first = text_.substr(at_, text_.find_first_of("\r\n", at_) - at_);
    const bool has_comma = first.find(',') != std::string::npos;
    if (!has_comma && first.find(';') != std::string::npos) separator_ = ';';
  }

  bool is_at_end() const { return at_ >= text_.size(); }

  CsvRow row() {
    CsvRow row{line_, {}};
    do {
      row.cells.push_back(trimmed(cell()));
    } while (take(separator_));
    if (is_at_end()) return row;
    take('\r');
    take('\n');
    ++line_;
    return row;
  }

 private:
  bool take(char wanted) {
    if (is_at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool ends_cell() const {
    return is_at_end() || text_[at_] == separator_ || text_[at_] == '\r' || text_[at_] == '\n';
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Failure(file_ + ':' + std::to_string(line_) + ": " + why, status_refused);
  }

  /// The next character as it is.
  std::string character() {
    const Character here = character_at(text_, at_);
    if (!here.is_text ||
        (is_control(here.code) && here.code != '\t' && here.code != '\n' && here.code != '\r')) {
      refuse("this is not UTF-8 text: save it as CSV in UTF-8");
    }
    if (here.code == '\n') ++line_;
    at_ += here.length;
    return text_.substr(at_ - here.length, here.length);
  }

  std::string cell() {
    while (!is_at_end() && text_[at_] == ' ' && separator_ != ' ') ++at_;
    std::string text;
    if (!take('"')) {
      while (!ends_cell()) text += character();
      return text;
    }
    const std::size_t begin = line_;
    while (!is_at_end()) {
      if (!take('"')) {
        text += character();
      } else if (take('"')) {
        text += '"';
      } else {
        while (!is_at_end() && text_[at_] == ' ') ++at_;
        if (!ends_cell()) refuse("there is text after a closing quote");
        return text;
      }
    }
    line_ = begin;
    refuse("a quote is not closed");
  }

  const std::string& text_;
  std::string file_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

bool is_empty(const CsvRow& row) {
  return std::all_of(row.cells.begin(), row.cells.end(),
                     [](const std::string& cell) { return cell.empty(); });
}

}  // namespace

std::optional<std::size_t> CsvTable::column(const std::string& name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const std::string& one) {
    return lower_case(one) == lower_case(name);
  });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

CsvTable parse_csv(const std::string& text, const std::string& file) {
  CsvTable table;
  table.file = file;
  Reader reader(text, file);
  while (!reader.is_at_end()) {
    CsvRow row = reader.row();
    if (is_empty(row)) continue;
    if (table.columns.empty()) {
      for (const std::string& name : row.cells) {
        if (!name.empty() && table.column(name)) {
          throw Failure(table.at(row) + "there are two columns '" + name + "'", status_refused);
        }
        table.columns.push_back(name);
      }
      continue;
    }
    while (row.cells.size() > table.columns.size() && row.cells.back().empty()) {
      row.cells.pop_back();
    }
    if (row.cells.size() > table.columns.size()) {
      throw Failure(table.at(row) +
                        "the row has more cells than there are columns: a cell with a " +
                        "comma wants quotes",
                    status_refused);
    }
    row.cells.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

CsvTable read_csv(const std::filesystem::path& file, const std::vector<std::string>& wanted) {
  const auto text = read_file(file);
  if (!text) throw Failure("cannot read " + file.string(), status_refused);
  CsvTable table = parse_csv(*text, file.filename().string());
  for (const std::string& name : wanted) {
    if (table.column(name)) continue;
    throw Failure(table.file + ": the first line must name a column '" + name + "'",
                  status_refused);
  }
  return table;
}

bool looks_like_formula(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first != std::string::npos && std::string("=+-@|%").find(text[first]) != std::string::npos;
}

std::string csv_cell(const std::string& text) {
  std::string clean = clean_utf8(text);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  const std::size_t first = clean.find_first_not_of(" \t");
  // Text that begins with an apostrophe keeps it.
  const bool has_apostrophe = first != std::string::npos && clean[first] == '\'';
  if (looks_like_formula(clean) || has_apostrophe) clean.insert(0, "'");
  if (!clean.empty() && clean[0] == '\t') clean.insert(0, "'");
  if (clean.find_first_of(",;\"'\t ") == std::string::npos) return clean;
  std::string quoted = "\"";
  for (const char c : clean) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace course::tool::grading
