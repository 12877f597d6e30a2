#include "compiler/translate/atomic_hints.hpp"

#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "compiler/text/device_functions.hpp"
#include "compiler/text/statements.hpp"

namespace emulator::compiler::translate {
namespace {

using text::begins_statement;
using text::contains;
using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::LineMap;
using text::nowhere;
using text::TokenKind;

// As emulator/device/atomics.h reads them.
constexpr unsigned one_address = 1;
constexpr unsigned unused = 2;
constexpr unsigned literal = 4;
constexpr unsigned adds_one = 8;

constexpr std::array<std::string_view, 7> functions = {
    "atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"};
constexpr std::array<std::string_view, 2> scopes = {"_block", "_system"};
constexpr std::array<std::string_view, 4> device_words = {"__shared__", "__device__",
                                                          "__constant__", "__managed__"};
constexpr std::array<std::string_view, 4> uniform_words = {"blockIdx", "gridDim", "blockDim",
                                                           "sizeof"};
constexpr std::array<std::string_view, 3> before_calls = {"return", "else", "do"};

bool is_atomic_function(std::string_view name) {
  for (const std::string_view scope : scopes) {
    if (name.size() > scope.size() && name.substr(name.size() - scope.size()) == scope) {
      name.remove_suffix(scope.size());
      break;
    }
  }
  return contains(functions, name);
}

class AtomicHintFinder {
 public:
  AtomicHintFinder(const CudaText& text, const LineMap& lines) : text_(text), lines_(lines) {}

  std::vector<AtomicHint> run() {
    std::vector<std::size_t> calls;
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is_identifier(i) && is_atomic_function(text_.word(i)) && is_call(i)) {
        calls.push_back(i);
      }
    }
    if (calls.empty()) return {};
    device_.emplace(text_);
    note_device_variables();
    std::vector<AtomicHint> hints;
    for (const std::size_t i : calls) {
      const std::size_t comma = text_.argument_end(i + 2);
      const std::size_t close = text_.closing(i + 1);
      if (close == nowhere || comma == nowhere || comma == i + 2 || comma >= close) continue;
      const DeviceFunction* const function = function_around(i);
      if (function == nullptr) continue;
      const unsigned bits = bits_of(*function, i, comma, close);
      if ((bits & one_address) == 0 && (bits & (adds_one | unused)) != (adds_one | unused)) {
        continue;
      }
      hints.push_back({i + 1, comma - 1, "::emulator::atomic_hint<" + std::to_string(bits) + ">("});
    }
    return hints;
  }

 private:
  unsigned bits_of(const DeviceFunction& function, std::size_t name, std::size_t comma,
                   std::size_t close) const {
    unsigned bits = 0;
    if (is_uniform(function, name + 2, comma, 0)) bits |= one_address;
    if (is_statement(name, close)) bits |= unused;
    const bool negative = text_.is(comma + 1, "-");
    const std::size_t value = comma + (negative ? 2 : 1);
    if (value + 1 == close && text_.tokens()[value].kind == TokenKind::number) {
      bits |= literal;
      const std::string_view number = text_.word(value);
      const bool is_one = number.find_first_not_of("uUlL", 1) == number.npos && number[0] == '1';
      if (is_one && !negative && text_.word(name).substr(0, 9) == "atomicAdd") bits |= adds_one;
    }
    return bits;
  }

  bool is_call(std::size_t i) const {
    if (!text_.is(i + 1, "(") || i == 0 || text_.is(i - 1, ".") || text_.is(i - 1, "->")) {
      return false;
    }
    if (lines_.position(text_.tokens()[i].begin).in_system_header) return false;
    if (text_.is(i - 1, "::")) return !text_.is_identifier(i - 2);
    return !text_.is_identifier(i - 1) || contains(before_calls, text_.word(i - 1));
  }

  // Whether the call of the function at token `name` is a statement: nobody uses its result.
  bool is_statement(std::size_t name, std::size_t close) const {
    if (!text_.is(close + 1, ";")) return false;
    std::size_t begin = text_.is(name - 1, "::") ? name - 1 : name;
    const bool cast =
        text_.is(begin - 1, ")") && text_.is(begin - 2, "void") && text_.is(begin - 3, "(");
    if (cast) begin -= 3;
    return begins_statement(text_, begin);
  }

  const DeviceFunction* function_around(std::size_t i) const {
    for (const DeviceFunction& function : device_->all()) {
      if (function.open != nowhere && function.open < i && i < function.close) return &function;
    }
    return nullptr;
  }

  // `__shared__ int counts[64], n;`: counts and n
  void note_device_variables() {
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (!text_.is_identifier(i) || !contains(device_words, text_.word(i))) continue;
      for (std::size_t at = i + 1; at < text_.tokens().size(); ++at) {
        if (const std::size_t next = text_.skip_attribute(at); next != at) {
          at = next - 1;
        } else if (text_.is_one_of(at, ";({")) {
          break;
        } else if (text_.is_identifier(at) && text_.is_one_of(at + 1, "[,;={")) {
          device_variables_.insert(text_.word(at));
        }
        if (text_.is(at, "[") && text_.closing(at) != nowhere) at = text_.closing(at);
      }
    }
  }

  // Whether tokens [begin, end), an expression in the function, are the same for all lanes of a
  // warp, as far as can be seen.
  bool is_uniform(const DeviceFunction& function, std::size_t begin, std::size_t end,
                  unsigned depth) const {
    constexpr unsigned deepest = 4;  // variables that are computed from variables
    if (depth > deepest) return false;
    for (std::size_t i = begin; i < end; ++i) {
      if (text_.tokens()[i].kind == TokenKind::number) continue;
      if (!text_.is_identifier(i)) {
        if (!text_.is_one_of(i, "&*+-/%()[].?:<>") && !text_.is(i, "->")) return false;
        continue;
      }
      if (text_.is(i - 1, ".") || text_.is(i - 1, "->")) continue;  // a member of what is before
      if (contains(uniform_words, text_.word(i))) continue;
      if (text_.is(i + 1, "(") || !is_uniform_name(function, i, depth)) return false;
    }
    return true;
  }

  bool is_uniform_name(const DeviceFunction& function, std::size_t i, unsigned depth) const {
    const std::string_view name = text_.word(i);
    if (const std::size_t initialiser = initialised_in(function, name); initialiser != nowhere) {
      const std::size_t end = statement_end(initialiser);
      return end != nowhere && end < i && is_uniform(function, initialiser, end, depth + 1);
    }
    if (is_changed_in(function, name)) return false;
    if (is_between(function.parameters, function.parameters_end, name)) return function.is_kernel;
    return device_variables_.count(name) != 0;
  }

  // The first token after the `=` of `int name = ...;`, if that is all that is ever put into it.
  std::size_t initialised_in(const DeviceFunction& function, std::string_view name) const {
    std::size_t found = nowhere;
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (!text_.is(i, name) || text_.is(i - 1, ".") || text_.is(i - 1, "->")) continue;
      const bool declares = text_.is_identifier(i - 1) || text_.is_one_of(i - 1, "*&>");
      if (declares && text_.is(i + 1, "=") && found == nowhere) {
        found = i + 2;
      } else if (changes(i)) {
        return nowhere;
      }
    }
    return found;
  }

  bool is_changed_in(const DeviceFunction& function, std::string_view name) const {
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (text_.is(i, name) && changes(i)) return true;
    }
    return false;
  }

  // Whether the name at token i is given another value there: `p = `, `p += `, `++p`, `p--`.
  bool changes(std::size_t i) const {
    if (text_.is(i + 1, "=") || text_.is(i + 1, "--") || text_.is(i - 1, "--")) return true;
    if (text_.is(i + 1, "<<=") || text_.is(i + 1, ">>=")) return true;
    if (text_.is_one_of(i + 1, "+-*/%&|^") && text_.is(i + 2, "=")) return true;
    return (text_.is(i + 1, "+") && text_.is(i + 2, "+")) ||
           (text_.is(i - 1, "+") && text_.is(i - 2, "+"));
  }

  std::size_t statement_end(std::size_t i) const {
    for (; i < text_.tokens().size(); ++i) {
      if (text_.is_one_of(i, ";,}")) return i;
      if (text_.opens(i)) i = text_.closing(i);
      if (i == nowhere) break;
    }
    return nowhere;
  }

  bool is_between(std::size_t begin, std::size_t end, std::string_view name) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_.is(i, name)) return true;
    }
    return false;
  }

  const CudaText& text_;
  const LineMap& lines_;
  std::optional<DeviceFunctions> device_;
  std::set<std::string_view> device_variables_;
};

}  // namespace

std::vector<AtomicHint> atomic_hints(const CudaText& text, const LineMap& lines) {
  return AtomicHintFinder(text, lines).run();
}

}  // namespace emulator::compiler::translate
