#include "compiler/translate/kernel_casts.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace emulator::compiler::translate {
namespace {

using text::contains;
using text::LineMap;
using text::nowhere;
using text::TokenText;

constexpr std::array<std::string_view, 2> launches = {"cudaLaunchCooperativeKernel",
                                                      "cudaLaunchKernel"};

class KernelCastFinder {
 public:
  KernelCastFinder(const TokenText& text, const LineMap& lines) : text_(text), lines_(lines) {}

  std::vector<KernelCast> run() {
    const std::size_t count = text_.tokens().size();
    for (std::size_t i = 0; i < count; ++i) {
      if (text_.is(i, "__global__")) note_kernel(i + 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (text_.is(i, "(")) {
        note_cast(i, void_pointer_end(i + 1), ")");
      } else if (text_.is(i, "reinterpret_cast") && text_.is(i + 1, "<")) {
        note_cast(i, void_pointer_end(i + 2), ">");
      } else if (text_.is(i, "=")) {
        note_initializer(i);
      }
    }
    return std::move(casts_);
  }

 private:
  struct CastOperand {
    std::size_t last;
    std::string name;
  };

  // `void __attribute__((x)) name(`: the name is what is before the parameters. In `name<int>(`
  // it has template arguments.
  void note_kernel(std::size_t i) {
    for (; i < text_.tokens().size(); ++i) {
      if (const std::size_t next = text_.skip_attribute(i); next != i) {
        i = next - 1;
      } else if (text_.is_one_of(i, ";{}=")) {
        return;
      } else if (text_.is_identifier(i) && text_.is_one_of(i + 1, "(<")) {
        kernels_.insert(text_.word(i));
        return;
      }
    }
  }

  // The token after `void*`, `const void*` or `void const*` at token i; nowhere if there is none.
  std::size_t void_pointer_end(std::size_t i) const {
    if (text_.is(i, "const")) ++i;
    if (!text_.is(i, "void")) return nowhere;
    ++i;
    if (text_.is(i, "const")) ++i;
    return text_.is(i, "*") ? i + 1 : nowhere;
  }

  // A cast whose type begins at token `begin` and whose bracket `close` is at token `end`, if it
  // is.
  void note_cast(std::size_t begin, std::size_t end, std::string_view close) {
    if (end == nowhere || !text_.is(end, close)) return;
    const bool in_parentheses = close == ">";
    const std::size_t before = in_parentheses ? end + 1 : end;
    if (in_parentheses && !text_.is(before, "(")) return;
    std::optional<CastOperand> operand = kernel_at(before + 1);
    if (!operand && begin > 1 && text_.is(begin - 1, "(") &&
        contains(launches, text_.word(begin - 2))) {
      const std::size_t last =
          in_parentheses ? text_.closing(before) : text_.argument_end(before + 1);
      if (last != nowhere && last > before + 1) operand = CastOperand{last - 1, "kernel"};
    }
    if (!operand || in_system_header(begin)) return;
    casts_.push_back({before, operand->last, std::move(operand->name)});
  }

  // `auto* pointer = &kernel<T>;`: a later cast of it is one of a variable. Without `&` it may be a
  // variable that has a kernel's name, or a class.
  void note_initializer(std::size_t equals) {
    if (!text_.is(equals + 1, "&")) return;
    std::optional<CastOperand> operand = kernel_at(equals + 1);
    if (!operand || in_system_header(equals)) return;
    casts_.push_back({equals, operand->last, std::move(operand->name)});
  }

  // There a parameter may have the name of the program's kernel.
  bool in_system_header(std::size_t i) const {
    return lines_.position(text_.tokens()[i].begin).in_system_header;
  }

  // `&ns::kernel<T>`, maybe in parentheses, as a whole operand.
  std::optional<CastOperand> kernel_at(std::size_t i) const {
    if (text_.is(i, "(")) {
      const std::optional<CastOperand> inner = kernel_at(i + 1);
      if (!inner || !text_.is(inner->last + 1, ")")) return std::nullopt;
      return CastOperand{inner->last + 1, inner->name};
    }
    if (text_.is(i, "&")) ++i;
    std::string name;
    if (text_.is(i, "::")) ++i;
    for (;;) {
      if (!text_.is_identifier(i)) return std::nullopt;
      const bool is_kernel = kernels_.count(text_.word(i)) != 0;
      name += text_.word(i);
      std::size_t last = i;
      if (text_.is(i + 1, "<")) {
        last = text_.closing_angle(i + 1);
        if (last == nowhere) return std::nullopt;
      }
      if (!text_.is(last + 1, "::")) {
        const bool ends = text_.is_one_of(last + 1, ",;)}]:?");
        if (!is_kernel || !ends) return std::nullopt;
        return CastOperand{last, name};
      }
      name += "::";
      i = last + 2;
    }
  }

  const TokenText& text_;
  const LineMap& lines_;
  std::unordered_set<std::string_view> kernels_;
  std::vector<KernelCast> casts_;
};

}  // namespace

std::vector<KernelCast> kernel_casts(const TokenText& text, const LineMap& lines) {
  return KernelCastFinder(text, lines).run();
}

}  // namespace emulator::compiler::translate
