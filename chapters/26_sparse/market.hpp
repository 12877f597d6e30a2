// Chapter 26: matrices from files in the Matrix Market format, which archives of matrices use. A
// file that is not one is refused, with the line at fault.
#pragma once

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "matrix.hpp"

// Reads one file, line after line.
class MarketFile {
 public:
  explicit MarketFile(const std::string& path) : path_(path), file_(path) {
    if (!file_) refuse("cannot be read");
  }

  HostCsr read() {
    read_banner();
    read_size();
    for (long long n = 0; n < announced_; ++n) {
      if (!next_line()) {
        refuse("ends after " + std::to_string(n) + " of " + std::to_string(announced_) +
               " announced elements");
      }
      read_element();
    }
    if (next_line())
      refuse_line("more than the " + std::to_string(announced_) + " announced elements");
    return by_rows();
  }

 private:
  struct Element {
    int row, column;
    float value;
    long long line;
  };

  [[noreturn]] void refuse(const std::string& why) const {
    throw course::UsageError("--matrix: " + path_ + ": " + why);
  }
  [[noreturn]] void refuse_line(const std::string& why) const {
    throw course::UsageError("--matrix: " + path_ + ", line " + std::to_string(line_number_) +
                             ": " + why);
  }

  // The next line that has something in it and is not a comment.
  bool next_line() {
    while (std::getline(file_, line_)) {
      ++line_number_;
      if (!line_.empty() && line_.back() == '\r') line_.pop_back();
      if (line_.find_first_not_of(" \t") != std::string::npos && line_[0] != '%') return true;
    }
    return false;
  }

  void read_banner() {
    std::getline(file_, line_);
    line_number_ = 1;
    for (char& c : line_) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::istringstream words(line_);
    std::string banner, object, form, field, symmetry, more;
    words >> banner >> object >> form >> field >> symmetry;
    if (banner != "%%matrixmarket") refuse_line("does not begin with %%MatrixMarket");
    if (object != "matrix" || form != "coordinate") {
      refuse_line("want 'matrix coordinate', a list of elements");
    }
    if (field != "real" && field != "integer" && field != "pattern") {
      refuse_line("want elements that are real, integer or pattern");
    }
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric") {
      refuse_line("want a matrix that is general, symmetric or skew-symmetric");
    }
    if (words >> more) refuse_line("more words than a matrix has properties");
    has_values_ = field != "pattern";
    is_symmetric_ = symmetry != "general";
    is_skew_ = symmetry == "skew-symmetric";
  }

  // A whole number from `least` to `most` at the place where *at points, which moves behind it.
  long long whole(const char** at, const char* name, long long least, long long most) const {
    char* end = nullptr;
    const long long number = std::strtoll(*at, &end, 10);
    if (end == *at || (*end != '\0' && *end != ' ' && *end != '\t')) {
      refuse_line(std::string("want a whole number for ") + name);
    }
    if (number < least || number > most) {
      refuse_line(std::string(name) + " must be from " + std::to_string(least) + " to " +
                  std::to_string(most));
    }
    *at = end;
    return number;
  }

  void require_end(const char* at) const {
    while (*at == ' ' || *at == '\t') ++at;
    if (*at != '\0') refuse_line("more than belongs into this line");
  }

  void read_size() {
    if (!next_line()) refuse("has no line with its size");
    const char* at = line_.c_str();
    constexpr long long most = (1LL << 30) - 1;
    rows_ = static_cast<int>(whole(&at, "rows", 1, most));
    cols_ = static_cast<int>(whole(&at, "columns", 1, most));
    announced_ = whole(&at, "elements", 0, most / 2);
    require_end(at);
    if (is_symmetric_ && rows_ != cols_) refuse_line("a symmetric matrix must be square");
  }

  void read_element() {
    const char* at = line_.c_str();
    Element e = {};
    e.row = static_cast<int>(whole(&at, "a row", 1, rows_)) - 1;
    e.column = static_cast<int>(whole(&at, "a column", 1, cols_)) - 1;
    e.value = 1;
    e.line = line_number_;
    if (has_values_) {
      char* end = nullptr;
      e.value = std::strtof(at, &end);
      if (end == at) refuse_line("want a number for the element");
      if (!std::isfinite(e.value)) refuse_line("the element is not a finite number");
      at = end;
    }
    require_end(at);
    if (is_symmetric_ && e.column > e.row)
      refuse_line("an element above a symmetric matrix's diagonal");
    if (is_skew_ && e.column == e.row) refuse_line("a skew-symmetric matrix has no diagonal");
    elements_.push_back(e);
    if (is_symmetric_ && e.column != e.row) {
      elements_.push_back({e.column, e.row, is_skew_ ? -e.value : e.value, e.line});
    }
  }

  HostCsr by_rows() {
    std::sort(elements_.begin(), elements_.end(), [](const Element& a, const Element& b) {
      return a.row != b.row         ? a.row < b.row
             : a.column != b.column ? a.column < b.column
                                    : a.line < b.line;
    });
    HostCsr A;
    A.rows = rows_;
    A.cols = cols_;
    A.offsets.assign(rows_ + size_t{1}, 0);
    for (size_t k = 0; k < elements_.size(); ++k) {
      const Element& e = elements_[k];
      if (k > 0 && elements_[k - 1].row == e.row && elements_[k - 1].column == e.column) {
        line_number_ = e.line;
        refuse_line("the same element as in line " + std::to_string(elements_[k - 1].line));
      }
      ++A.offsets[e.row + size_t{1}];
      A.columns.push_back(e.column);
      A.values.push_back(e.value);
    }
    for (int r = 0; r < rows_; ++r) A.offsets[r + size_t{1}] += A.offsets[r];
    return A;
  }

  std::string path_, line_;
  std::ifstream file_;
  long long line_number_ = 0, announced_ = 0;
  bool has_values_ = true, is_symmetric_ = false, is_skew_ = false;
  int rows_ = 0, cols_ = 0;
  std::vector<Element> elements_;
};
