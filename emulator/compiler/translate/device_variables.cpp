#include "compiler/translate/device_variables.hpp"

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace emulator::compiler::translate {
namespace {

using text::contains;
using text::LineMap;
using text::nowhere;
using text::TokenText;

constexpr std::array<std::string_view, 3> device_qualifiers = {"__device__", "__global__",
                                                               "__managed__"};

constexpr std::array<std::string_view, 4> type_keys = {"class", "enum", "struct", "union"};

// Collects names. One too many does little harm, so this need not know all of C++'s grammar: a
// declaration goes through it word by word, and the last name before `=`, `[`, `,` and so on is
// what it declares.
class VariableNames {
 public:
  explicit VariableNames(const TokenText& text) : text_(text) {}

  // Reads on from the word of a declaration at token i.
  void read_declaration(std::size_t i) {
    is_managed_ = text_.is(i, "__managed__");
    std::size_t name = nowhere;
    bool in_class_head = false;
    for (++i; i < text_.tokens().size(); ++i) {
      if (const std::size_t next = text_.skip_attribute(i); next != i) {
        i = next - 1;
      } else if (text_.is(i, "operator")) {
        return read_function(i);
      } else if (text_.is_identifier(i)) {
        if (contains(type_keys, text_.word(i))) in_class_head = true;
        name = i;
      } else if (text_.is(i, "<")) {
        i = text_.closing_angle(i);
      } else if (text_.is(i, "(") && text_.is(i + 1, "*")) {
        name = name_in_parentheses(i);  // `float (*f)(float)`, `float (*rows)[3]`
        i = text_.closing(i);
        if (i != nowhere && text_.is(i + 1, "(")) i = text_.closing(i + 1);
      } else if (text_.is(i, "(")) {
        return read_function(i);
      } else if (text_.is(i, "{") && in_class_head) {
        in_class_head = false;
        i = text_.closing(i);
      } else if (text_.is_one_of(i, "[={,;")) {
        add(name);
        name = nowhere;
        if (text_.is(i, ";")) return;
        if (text_.is(i, "=")) i = initialiser_end(i) - 1;
        if (text_.opens(i)) i = text_.closing(i);
      } else if (!text_.is_one_of(i, "*&") && !text_.is(i, "::") && !in_class_head) {
        return;
      }
      if (i == nowhere) return;
    }
  }

  const std::set<std::string>& names() const { return names_; }

 private:
  // The rest of a function: its static variables are also the device's.
  void read_function(std::size_t i) {
    for (; i < text_.tokens().size() && !text_.is(i, ";"); ++i) {
      if (text_.is(i, "(")) {
        i = text_.closing(i);
        if (i == nowhere) return;
      } else if (text_.is(i, "{")) {
        const std::size_t end = text_.closing(i);
        for (; i < end && i < text_.tokens().size(); ++i) {
          if (text_.is(i, "static")) read_declaration(i);
        }
        return;
      }
    }
  }

  std::size_t name_in_parentheses(std::size_t i) const {
    std::size_t name = nowhere;
    for (++i; i < text_.tokens().size() && !text_.opens(i) && !text_.closes(i); ++i) {
      if (text_.is_identifier(i)) name = i;
    }
    return name;
  }

  // The `,` or `;` after `= value`.
  std::size_t initialiser_end(std::size_t i) const {
    for (; i < text_.tokens().size() && !text_.is_one_of(i, ",;"); ++i) {
      if (text_.closes(i)) return nowhere;
      if (text_.opens(i)) i = text_.closing(i);
      if (i == nowhere) return nowhere;
    }
    return i;
  }

  void add(std::size_t name) {
    if (name == nowhere) return;
    names_.emplace(text_.word(name));
    if (is_managed_) names_.insert('*' + std::string(text_.word(name)));
  }

  const TokenText& text_;
  bool is_managed_ = false;
  std::set<std::string> names_;
};

}  // namespace

std::string device_variable_table(const TokenText& text, const LineMap& lines) {
  VariableNames names(text);
  for (std::size_t i = 0; i < text.tokens().size(); ++i) {
    const bool may_be_one = text.is_identifier(i) && text.word(i).substr(0, 2) == "__";
    if (may_be_one && contains(device_qualifiers, text.word(i)) &&
        !lines.position(text.tokens()[i].begin).in_system_header) {
      names.read_declaration(i);
    }
  }
  std::string result;
  for (const std::string& name : names.names()) {
    // One literal each: a digit after \0 would belong to it.
    result.append(result.empty() ? "" : " ").append("\"").append(name).append("\\0\"");
  }
  if (result.empty()) return result;
  return "static const char emulator_device_variables[] __attribute__((used, aligned(1), "
         "section(\"emulator_device_variables\"))) = " +
         result + ";";
}

}  // namespace emulator::compiler::translate
