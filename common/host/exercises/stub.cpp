#include "host/exercises/stub.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "host/errors.hpp"
#include "host/files.hpp"

namespace course::tool {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// Goes through a model solution line by line and collects one of its two sides.
class Splitter {
 public:
  Splitter(std::string name, bool wants_stub) : name_(std::move(name)), wants_stub_(wants_stub) {}

  std::string run(std::string_view model) {
    for (const std::string_view line : lines_of(model)) {
      ++number_;
      take(line);
    }
    if (place_ != Place::outside) {
      number_ = begin_;
      fail("this //@stub has no //@end");
    }
    if (regions_ == 0) {
      number_ = 1;
      fail("no region is marked with //@stub, //@solution, //@end");
    }
    return std::move(text_);
  }

 private:
  enum class Place { outside, stub, solution };

  void take(std::string_view line) {
    const std::string_view word = trimmed(line);
    if (!word.starts_with("//@")) {
      if (line.find("//@") != std::string_view::npos) fail("//@ has to begin its line");
      take_text(line, word);
    } else if (word == "//@stub") {
      if (place_ != Place::outside) fail("//@stub inside a region, which regions must not hold");
      place_ = Place::stub;
      begin_ = number_;
      indent_ = line.substr(0, line.find('/'));
      ++regions_;
      stub_.clear();
      code_lines_ = 0;
      in_comment_ = false;
    } else if (word == "//@solution") {
      if (place_ != Place::stub) fail("//@solution without a //@stub before it");
      place_ = Place::solution;
    } else if (word == "//@end") {
      if (place_ == Place::stub) fail("//@end without a //@solution before it");
      if (place_ != Place::solution) fail("//@end without a //@stub before it");
      if (code_lines_ == 0 && stub_.find("{lines}") != std::string::npos) {
        fail("the stub of this region asks for {lines} lines, and its solution holds no code");
      }
      if (wants_stub_) text_ += replaced(stub_, "{lines}", std::to_string(code_lines_));
      place_ = Place::outside;
    } else if (word == "//@" || word.starts_with("//@ ")) {
      if (place_ != Place::stub) fail("a line of a stub belongs between //@stub and //@solution");
      // Trailing blanks of the stub's own would stay in the student's file.
      const std::string_view rest = word == "//@" ? std::string_view{} : word.substr(4);
      stub_ += rest.empty() ? "" : std::string(indent_) + std::string(rest);
      stub_ += '\n';
    } else {
      fail("'" + std::string(word) + "' is none of //@stub, //@solution, //@end and //@ TEXT");
    }
  }

  void take_text(std::string_view line, std::string_view word) {
    if (place_ == Place::stub) fail("between //@stub and //@solution every line begins with //@");
    if (place_ == Place::solution) {
      if (is_code(word)) ++code_lines_;
      if (wants_stub_) return;
    }
    text_ += line;
    text_ += '\n';
  }

  /// Not blank, and not only a comment.
  bool is_code(std::string_view word) {
    if (in_comment_) {
      const std::size_t end = word.find("*/");
      if (end == std::string_view::npos) return false;
      in_comment_ = false;
      word = trimmed(word.substr(end + 2));
    }
    if (word.empty() || word.starts_with("//")) return false;
    if (!word.starts_with("/*")) return true;
    in_comment_ = true;
    return is_code(word.substr(2));
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Failure(name_ + ":" + std::to_string(number_) + ": " + why);
  }

  std::string name_;
  bool wants_stub_;
  std::string text_;
  Place place_ = Place::outside;
  int number_ = 0;
  int begin_ = 0;
  int regions_ = 0;
  int code_lines_ = 0;
  bool in_comment_ = false;
  std::string_view indent_;
  std::string stub_;
};

std::string model_text(const std::filesystem::path& model) {
  const auto text = read_file(model);
  if (!text) throw Failure("cannot read " + model.string());
  return *text;
}

}  // namespace

std::string stub_of(const std::string& model, const std::string& name) {
  return Splitter(name, true).run(model);
}

std::string solution_of(const std::string& model, const std::string& name) {
  return Splitter(name, false).run(model);
}

std::string read_stub(const std::filesystem::path& model) {
  return stub_of(model_text(model), model.string());
}

std::string read_solution(const std::filesystem::path& model) {
  return solution_of(model_text(model), model.string());
}

std::optional<int> first_difference(const std::string& one, const std::string& other) {
  if (one == other) return std::nullopt;
  const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return 1 + static_cast<int>(std::count(one.begin(), end, '\n'));
}

std::optional<int> line_with(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return std::nullopt;
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

}  // namespace course::tool
