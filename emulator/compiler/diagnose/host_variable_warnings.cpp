#include "compiler/diagnose/host_variable_warnings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/device_functions.hpp"
#include "compiler/text/line_map.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::contains;
using text::CudaText;
using text::Declaration;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::lex;
using text::LexedText;
using text::LineMap;
using text::nowhere;
using text::Position;
using text::unquoted;

enum class Use { none, read, written, passed };

class UseFinder {
 public:
  explicit UseFinder(const CudaText& text) : text_(text), functions_(text) {
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "__device__") || text_.is(i, "__constant__")) note_variables(i);
    }
  }

  // Of each variable the first use by the host, as a token.
  std::map<std::size_t, Use> uses() const {
    std::map<std::size_t, Use> result;
    if (variables_.empty()) return result;
    std::set<std::string_view> seen;
    const std::set<std::string_view> others = names_of_others();
    std::size_t next = 0;  // of the device's functions
    for (std::size_t i = 1; i < text_.tokens().size(); ++i) {
      const auto& functions = functions_.all();
      while (next < functions.size() && end_of(functions[next]) < i) ++next;
      if (next < functions.size() && functions[next].begin <= i) {
        i = end_of(functions[next]);
        continue;
      }
      const std::string_view name = text_.word(i);
      if (!variables_.contains(name) || others.contains(name) || seen.contains(name)) continue;
      const Use use = functions_.is_user_code(i) ? use_of(i) : Use::none;
      if (use == Use::none) continue;
      seen.insert(name);
      result.emplace(i, use);
    }
    return result;
  }

 private:
  void note_variables(std::size_t i) {
    if (!functions_.is_user_code(i)) return;
    const Declaration declaration = text_.declaration_around(i);
    if (declaration.is_const || declaration.semicolon == nowhere) return;
    for (std::size_t at = declaration.begin; at < declaration.semicolon; ++at) {
      if (text_.is(at, "__managed__") || text_.is(at, "constexpr")) return;
    }
    for (const auto& declarator : declaration.declarators) {
      if (declarator.name == nowhere || !text_.is_identifier(declarator.name)) continue;
      if (text_.is(declarator.name + 1, "(")) continue;
      variables_.insert(text_.word(declarator.name));
      declared_.insert(declarator.name);
    }
  }

  // What else is declared by such a name: `int count`, a parameter, a member.
  std::set<std::string_view> names_of_others() const {
    std::set<std::string_view> result;
    constexpr std::array<std::string_view, 6> no_types = {"return", "else",   "case",
                                                          "throw",  "delete", "do"};
    for (std::size_t i = 2; i < text_.tokens().size(); ++i) {
      if (!variables_.contains(text_.word(i)) || declared_.contains(i)) continue;
      const bool after_type =
          (text_.is_identifier(i - 1) && !contains(no_types, text_.word(i - 1))) ||
          (text_.is_one_of(i - 1, "*&>") && text_.is_identifier(i - 2) &&
           text_.is_one_of(i + 1, ",;=)[{"));
      if (after_type && functions_.is_user_code(i)) result.insert(text_.word(i));
    }
    return result;
  }

  static std::size_t end_of(const DeviceFunction& function) {
    return function.open == nowhere ? function.parameters_end : function.close;
  }

  Use use_of(std::size_t i) const {
    if (text_.is_one_of(i - 1, ".&~") || text_.is(i - 1, "->") || text_.is(i - 1, "::")) {
      return Use::none;
    }
    if (declared_.contains(i)) return Use::none;
    std::size_t end = i + 1;  // after `count`, `table[2]`
    while (text_.is(end, "[")) {
      end = text_.closing(end);
      if (end == nowhere) return Use::none;
      ++end;
    }
    const bool is_element = end > i + 1;
    const auto is_twice = [&](std::size_t at, std::string_view sign) {
      return text_.is(at, sign) && text_.is(at + 1, sign);
    };
    const bool begins_statement = text_.is_one_of(i - 1, ";{})");
    if (begins_statement) {
      if (text_.is(end, "=") && !text_.is(end + 1, "=")) return Use::written;
      if (text_.is_one_of(end, "+-*/%&|^") && text_.is(end + 1, "=")) return Use::written;
      if (is_twice(end, "+") || is_twice(end, "-") || text_.is(end, "--")) return Use::written;
    }
    if (is_argument_of_launch(i)) return is_element ? Use::read : Use::passed;
    constexpr std::array<std::string_view, 4> printing = {"printf", "fprintf", "sprintf",
                                                          "snprintf"};
    const bool is_value = text_.is(i - 1, "return") ||
                          (text_.is(i - 1, "=") && text_.is_one_of(end, ";,)+-*/%")) ||
                          (text_.is_one_of(i - 1, ",(") && contains(printing, called_around(i)));
    return is_value ? Use::read : Use::none;
  }

  // The name before the innermost bracket around token i.
  std::string_view called_around(std::size_t i) const {
    std::size_t depth = 0;
    for (; i > 1; --i) {
      if (text_.is(i, ")")) ++depth;
      if (text_.is(i, "(") && depth-- == 0) return text_.word(i - 1);
      if (text_.is_one_of(i, ";{}")) break;
    }
    return {};
  }

  // `k<<<...>>>(a, name)`
  bool is_argument_of_launch(std::size_t i) const {
    return text_.is_one_of(i - 1, ",(") && text_.is_one_of(i + 1, ",)") && called_around(i) == ">";
  }

  const CudaText& text_;
  const DeviceFunctions functions_;
  std::set<std::string_view> variables_;
  std::set<std::size_t> declared_;
};

// Whether there may be one: `__device__ int n;` or `= 1`, `[4]`. Reading a whole text takes a
// while.
bool mentions_variable(std::string_view text) {
  for (const std::string_view word : {"__device__", "__constant__"}) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
      const std::size_t end = text.find_first_of("({;=[", at);
      if (end != std::string_view::npos && text[end] != '(' && text[end] != '{') return true;
    }
  }
  return false;
}

std::string sentence(const std::string& name, Use use) {
  if (use == Use::passed) {
    return "'" + name +
           "' is a variable of the device: by its name the host passes an address of its own, "
           "which "
           "no kernel can use (cudaGetSymbolAddress() gives the device's)";
  }
  return "'" + name + "' is a variable of the device: the host " +
         (use == Use::read ? "reads" : "writes") +
         " a copy of its own, which no kernel sees (use " +
         (use == Use::read ? "cudaMemcpyFromSymbol" : "cudaMemcpyToSymbol") + "())";
}

}  // namespace

std::vector<std::string> host_variable_warnings(std::string_view preprocessed) {
  if (!mentions_variable(preprocessed)) return {};
  LexedText lexed = lex(preprocessed);
  const LineMap lines(preprocessed, lexed.directives);
  const CudaText text(preprocessed, std::move(lexed.tokens));
  std::vector<std::string> result;
  for (const auto& [token, use] : UseFinder(text).uses()) {
    const Position position = lines.position(text.tokens()[token].begin);
    result.push_back(std::string(unquoted(position.file)) + ':' + std::to_string(position.line) +
                     ':' + std::to_string(position.column + 1) +
                     ": warning: " + sentence(std::string(text.word(token)), use));
  }
  return result;
}

}  // namespace emulator::compiler::diagnose
