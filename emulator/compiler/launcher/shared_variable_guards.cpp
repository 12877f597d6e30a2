#include "compiler/launcher/shared_variable_guards.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "compiler/text/token_text.hpp"

namespace emulator::compiler::launcher {
namespace {

using text::contains;

constexpr std::string_view gap = "\t.zero\t128\n";

constexpr std::array<std::string_view, 9> section_changes = {
    ".bss",     ".data",       ".popsection", ".previous", ".pushsection",
    ".section", ".subsection", ".text",       ".struct"};

// What can come between an object and the next. (`.size` may be on either side of the data.)
constexpr std::array<std::string_view, 12> separators = {
    ".align", ".balign",  ".global",    ".globl", ".hidden", ".internal",
    ".local", ".p2align", ".protected", ".set",   ".type",   ".weak"};

constexpr std::string_view blanks = " \t";

std::string_view first_word(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  return line.substr(0, line.find_first_of(" \t\n"));
}

bool is_thread_local(std::string_view section_line) {
  section_line.remove_prefix(section_line.find(".section") + 8);
  const std::string_view name = first_word(section_line);
  for (const std::string_view kind : {".tbss", ".tdata"}) {
    if (name.substr(0, kind.size()) != kind) continue;
    if (name.size() == kind.size() || name[kind.size()] == '.' || name[kind.size()] == ',') {
      return true;
    }
  }
  return false;
}

// Reads assembly line by line.
class GuardWriter {
 public:
  explicit GuardWriter(std::string_view text) : text_(text) {}

  std::string run() {
    result_.reserve(text_.size() + text_.size() / 64);
    while (at_ < text_.size()) {
      if (!inside_) skip_to_section();
      if (at_ < text_.size()) read_line();
    }
    end_object();
    return std::move(result_);
  }

 private:
  // Most of the text is elsewhere, and in no need of a closer look.
  void skip_to_section() {
    constexpr std::string_view directive = ".section";
    const std::size_t found = text_.find(directive, at_);
    const std::size_t line = found == std::string_view::npos ? text_.size() : begin_of_line(found);
    result_ += text_.substr(at_, std::max(line, at_) - at_);
    at_ = std::max(line, at_);
  }

  std::size_t begin_of_line(std::size_t i) const {
    const std::size_t newline = i == 0 ? std::string_view::npos : text_.rfind('\n', i - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
  }

  void read_line() {
    const std::size_t newline = text_.find('\n', at_);
    const std::size_t end = newline == std::string_view::npos ? text_.size() : newline + 1;
    const std::string_view line = text_.substr(at_, end - at_);
    const std::string_view word = first_word(line);
    if (contains(section_changes, word)) {
      end_object();
      inside_ = word == ".section" && is_thread_local(line);
    } else if (!word.empty() && (word.back() == ':' || contains(separators, word))) {
      end_object();
    } else if (inside_ && !word.empty() && word[0] == '.' && word != ".size") {
      has_data_ = true;
    }
    result_ += line;
    at_ = end;
  }

  void end_object() {
    if (!has_data_) return;
    if (result_.back() != '\n') result_ += '\n';
    result_ += gap;
    has_data_ = false;
  }

  std::string_view text_;
  std::string result_;
  std::size_t at_ = 0;
  bool inside_ = false;    // a thread-local section
  bool has_data_ = false;  // an object that has begun, some of it
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Adds the gaps between functions. (`.size` ends a function, and no two sections share one.)
std::string part_functions(std::string_view text) {
  constexpr std::string_view begin_of_section = "\t.section\t.text";
  constexpr std::string_view end_of_function = "\n\t.size\t";
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = text.find(begin_of_section); at < text.size();
       at = text.find(begin_of_section, at)) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    const bool may_be_found_again = ends_with(text.substr(at, line - at), ",comdat");
    at = line;
    if (!may_be_found_again) continue;
    const std::size_t size = text.find(end_of_function, line);
    const std::size_t end = size < text.size() ? text.find('\n', size + 1) : size;
    if (end >= text.size() || end + 1 == copied) continue;
    result.append(text.substr(copied, end + 1 - copied)).append("\t.skip\t2\n");
    copied = end + 1;
  }
  return result.append(text.substr(copied));
}

void rewrite(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  if (!input) return;  // the assembler knows what to say
  std::ostringstream content;
  content << input.rdbuf();
  input.close();
  const std::string before = std::move(content).str();
  const std::string after = add_guards(before);
  if (after == before) return;
  std::ofstream output(path, std::ios::binary);
  output << after << std::flush;
  if (!output) {
    throw std::runtime_error("cannot write '" + path + "': " + std::strerror(errno));
  }
}

}  // namespace

std::string add_guards(std::string_view assembly) {
  return part_functions(GuardWriter(assembly).run());
}

void add_guards_to_input(const char* const* command) {
  const std::string_view program = command[0];
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name != "as" && !ends_with(name, "-as")) return;
  std::size_t last = 0;
  while (command[last + 1] != nullptr) ++last;
  const std::string_view before = last > 0 ? command[last - 1] : "";
  if (ends_with(command[last], ".s") && before != "-o") rewrite(command[last]);
}

}  // namespace emulator::compiler::launcher
