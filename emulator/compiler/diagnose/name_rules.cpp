#include "compiler/diagnose/name_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace emulator::compiler::diagnose {
namespace {

using text::contains;
using text::CudaText;
using text::Declaration;
using text::Declarator;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::nowhere;

using NameSet = std::unordered_set<std::string_view>;

// Words before a name that do not make a declaration of it.
constexpr std::array<std::string_view, 9> no_types = {
    "return", "else", "do", "case", "throw", "goto", "co_return", "co_await", "new"};

class NameRules {
 public:
  NameRules(const CudaText& text, const DeviceFunctions& functions, RuleMessages& messages)
      : text_(text), functions_(functions), messages_(messages) {
    for (const DeviceFunction& function : functions_.all()) {
      device_names_.insert(text_.word(function.name));
      if (function.is_kernel) kernels_.insert(text_.word(function.name));
    }
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "__constant__")) read_constant(i);
    }
  }

  void check() {
    if (functions_.all().empty() && constants_.empty() && !launches_something()) return;
    find_host_definitions();
    look_at_names();
  }

 private:
  // Also without a kernel: then what is launched is not one.
  bool launches_something() const {
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "<<<")) return true;
    }
    return false;
  }

  void read_constant(std::size_t i) {
    if (!functions_.is_user_code(i)) return;
    const Declaration declaration = text_.declaration_around(i);
    if (declaration.is_const || declaration.semicolon == nowhere) return;
    for (const Declarator& declarator : declaration.declarators) {
      if (declarator.name != nowhere && text_.is_identifier(declarator.name) &&
          declarator.end == declarator.name + 1) {
        constants_.insert(text_.word(declarator.name));
      }
    }
  }

  // Whether token i, a name, is declared there: a word or `*` is before it, as in `int n`.
  bool is_declared_at(std::size_t i) const {
    if (text_.is_identifier(i - 1)) return !contains(no_types, text_.word(i - 1));
    return text_.is_one_of(i - 1, "*&>") && text_.is_identifier(i - 2) &&
           text_.is_one_of(i + 1, ",;=)[{");
  }

  // `struct` and the rest of namespace scope: no other brace than a namespace's is open.
  void find_host_definitions() {
    std::vector<bool> outer;  // for each open brace: is it a namespace's?
    std::size_t inner = 0;
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "{")) {
        outer.push_back(text_.is_linkage(i) || opens_namespace(i));
        if (!outer.back()) ++inner;
      } else if (text_.is(i, "}") && !outer.empty()) {
        if (!outer.back()) --inner;
        outer.pop_back();
      } else if (inner == 0 && text_.is_identifier(i) && functions_.is_user_code(i)) {
        note_host_name(i);
      }
    }
  }

  bool opens_namespace(std::size_t i) const {
    for (std::size_t at = i; at > 0 && !text_.is_one_of(at - 1, ";{})"); --at) {
      if (text_.is(at - 1, "namespace")) return true;
    }
    return false;
  }

  // Token i, a name at namespace scope: `int name(...) {` or `const int name[3] =`.
  void note_host_name(std::size_t i) {
    if (!text_.is_one_of(i + 1, "([") || !text_.is_identifier(i - 1)) return;
    const std::size_t begin = functions_.declaration_begin(i);
    bool is_const = false;
    bool is_constexpr = false;
    for (std::size_t at = begin; at < i; ++at) {
      if (text_.is(at, "__device__") || text_.is(at, "__global__") ||
          text_.is(at, "__constant__") || text_.is(at, "__managed__") || text_.is(at, "extern") ||
          text_.is_one_of(at, "(=")) {
        return;
      }
      is_constexpr |= text_.is(at, "constexpr") || text_.is(at, "consteval");
      is_const |= text_.is(at, "const");
    }
    if (text_.is(i + 1, "[")) {
      if (is_const || is_constexpr) host_arrays_.insert(text_.word(i));
      return;
    }
    const std::size_t close = text_.closing(i + 1);
    if (close == nowhere || !text_.is(close + 1, "{")) return;
    if (!is_constexpr) host_functions_.insert(text_.word(i));
  }

  void look_at_names() {
    NameSet declared_twice;
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (!text_.is_identifier(i) || !is_of_interest(text_.word(i))) continue;
      // A function that a system header also has may be the one that is called.
      const bool call = text_.is(i + 1, "(") && host_functions_.contains(text_.word(i));
      if (!functions_.is_user_code(i) && call) declared_twice.insert(text_.word(i));
      if (functions_.is_user_code(i) && is_declared_at(i) && !is_its_declaration(i)) {
        declared_twice.insert(text_.word(i));
      }
    }
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (!text_.is_identifier(i) || !is_of_interest(text_.word(i)) || !functions_.is_user_code(i))
        continue;
      if (declared_twice.contains(text_.word(i)) || is_declared_at(i)) continue;
      if (text_.is_one_of(i - 1, ".") || text_.is(i - 1, "->") || text_.is(i - 1, "::")) continue;
      look_at_name(i);
    }
  }

  bool is_of_interest(std::string_view name) const {
    return kernels_.contains(name) || constants_.contains(name) || host_arrays_.contains(name) ||
           (host_functions_.contains(name) && !device_names_.contains(name));
  }

  // The one that made the name of interest: outside all functions.
  bool is_its_declaration(std::size_t i) const {
    const std::string_view name = text_.word(i);
    for (std::size_t at = functions_.declaration_begin(i); at < i; ++at) {
      if (text_.is(at, "__global__") && kernels_.contains(name)) return text_.is(i + 1, "(");
      if (text_.is(at, "__constant__") && constants_.contains(name)) return true;
    }
    if (host_functions_.contains(name)) return text_.is(i + 1, "(");
    return host_arrays_.contains(name) && text_.is(i + 1, "[") && kernel_around(i) == nullptr;
  }

  const DeviceFunction* kernel_around(std::size_t i) const {
    const auto found = std::find_if(functions_.all().begin(), functions_.all().end(),
                                    [&](const DeviceFunction& function) {
                                      return function.is_kernel && function.open != nowhere &&
                                             function.open < i && i < function.close;
                                    });
    return found == functions_.all().end() ? nullptr : &*found;
  }

  void look_at_name(std::size_t i) {
    const std::string_view name = text_.word(i);
    if (constants_.contains(name)) {
      if (is_written(i)) {
        messages_.add(i, "a __constant__ variable cannot be written: " + messages_.quote(i) +
                             " gets its value by cudaMemcpyToSymbol()");
      }
    } else if (kernels_.contains(name)) {
      // A function of the same name may be meant, of another namespace.
      if (!host_functions_.contains(name) && is_called_as_statement(i)) {
        messages_.add(i, "a kernel is launched, not called: write " + std::string(name) +
                             "<<<blocks, threads>>>(...)");
      }
    } else if (host_functions_.contains(name)) {
      if (text_.is(i + 1, "<<<")) {
        messages_.add(
            i, messages_.quote(i) +
                   " is not a kernel: only a __global__ function can be launched with <<<...>>>");
      } else if (text_.is(i + 1, "(")) {
        const DeviceFunction* const kernel = kernel_around(i);
        if (kernel != nullptr && !has_host_body(text_, *kernel)) {
          messages_.add(i, "a kernel cannot call " + messages_.quote(i) +
                               ", which is a __host__ function; one of yours can be declared "
                               "__host__ __device__");
        }
      }
    } else if (text_.is(i + 1, "[") && kernel_around(i) != nullptr && !is_constant_expression(i)) {
      messages_.add(
          i, messages_.quote(i) +
                 " is an array of the host, which a kernel cannot use: declare it __constant__");
    }
  }

  // `n = 1`, `n += 1`, `++n`, `n--`; most operators are tokens of one character.
  bool is_written(std::size_t i) const {
    const auto twice = [this](std::size_t first) {
      return (text_.is(first, "+") && text_.is(first + 1, "+")) || text_.is(first, "--");
    };
    if (text_.is(i - 1, "&")) return false;  // `*&n = 1`
    if (text_.is(i + 1, "=") || twice(i + 1)) return true;
    if (text_.is_one_of(i + 1, "+-*/%&|^") && text_.is(i + 2, "=")) return true;
    return text_.is(i - 1, "--") || (i > 1 && twice(i - 2));
  }

  // `k(p);` or `k<float>(p);`, a statement for itself.
  bool is_called_as_statement(std::size_t i) const {
    if (!text_.is_one_of(i - 1, ";{}") && !text_.is(i - 1, "else")) return false;
    std::size_t open = i + 1;
    if (text_.is(open, "<")) {
      const std::size_t angle = text_.closing_angle(open);
      if (angle == nowhere) return false;
      open = angle + 1;
    }
    if (!text_.is(open, "(")) return false;
    const std::size_t close = text_.closing(open);
    return close != nowhere && text_.is(close + 1, ";");
  }

  // Whether the statement up to token i has a word that makes a constant of what follows.
  bool is_constant_expression(std::size_t i) const {
    for (; i > 0 && !text_.is_one_of(i - 1, ";{}"); --i) {
      for (const std::string_view word :
           {"constexpr", "static_assert", "sizeof", "decltype", "if", "alignof"}) {
        if (text_.is(i - 1, word)) return true;
      }
    }
    return false;
  }

  const CudaText& text_;
  const DeviceFunctions& functions_;
  RuleMessages& messages_;
  NameSet kernels_;
  NameSet device_names_;
  NameSet host_functions_;
  NameSet host_arrays_;  // constant ones
  NameSet constants_;    // with __constant__
};

}  // namespace

void check_names(const CudaText& text, const DeviceFunctions& functions, RuleMessages& messages) {
  NameRules(text, functions, messages).check();
}

}  // namespace emulator::compiler::diagnose
