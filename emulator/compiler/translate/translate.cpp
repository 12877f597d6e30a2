#include "compiler/translate/translate.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnose/kernel_rules.hpp"
#include "compiler/diagnose/kernel_sizes.hpp"
#include "compiler/ptx/inline_assembly.hpp"
#include "compiler/text/cuda_text.hpp"
#include "compiler/text/lexer.hpp"
#include "compiler/translate/atomic_hints.hpp"
#include "compiler/translate/cluster_dims.hpp"
#include "compiler/translate/device_variables.hpp"
#include "compiler/translate/discarded_calls.hpp"
#include "compiler/translate/forced_inlining.hpp"
#include "compiler/translate/kernel_casts.hpp"
#include "compiler/translate/module_kernels.hpp"
#include "compiler/translate/spaced_launches.hpp"
#include "compiler/translate/template_names.hpp"
#include "compiler/translate/translator.hpp"
#include "compiler/translate/type_table.hpp"

namespace emulator::compiler::translate {
namespace {

using diagnose::kernel_rule_violations;
using diagnose::kernel_size_checks;
using diagnose::SizeCheck;
using ptx::inline_assembly;
using ptx::InlineAssembly;
using text::contains;
using text::Declaration;
using text::lex;
using text::LexedText;
using text::nowhere;

// The section of __constant__ variables: how the runtime tells them from global memory.
constexpr std::string_view constant_section = "emulator_constant";

}  // namespace

Translator::Translator(std::string_view text, LexedText lexed, const TranslationOptions& options)
    : Rewriter(text, std::move(lexed)),
      flat_kernels_(options.flat_kernels),
      is_separate_(options.is_separate),
      is_module_(options.is_module),
      recursive_inlines_(recursive_forced_inlines(*this)),
      discarded_(discarded_calls(*this, lines_)),
      casts_(kernel_casts(*this, lines_)),
      bounds_(launch_bounds(*this)),
      object_kernels_(object_kernels(*this)) {}

std::string Translator::run() {
  refuse_broken_rules();
  collect_insertions();
  output_.reserve(text_.size() + text_.size() / 8);
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].begin < copied_) continue;  // part of something that has been rewritten
    copy_until(tokens_[i].begin);
    output_begins_[i] = output_.size();
    follow_scopes(i);
    note_cast(i);
    if (!launches_.empty() && launches_.back().close == i) {
      finish_launch();
    } else if (i == blanked_) {
      blank(i);
    } else if (!rewrite(i)) {
      output_ += word(i);
      copied_ = tokens_[i].end;
    }
    if (!insertions_.empty() && insertions_.begin()->first <= i) {
      output_ += insertions_.begin()->second;
      insertions_.erase(insertions_.begin());
      resume_at(copied_, Origin::user);
    }
    finish_discarded(i);
  }
  copy_until(text_.size());
  append_tables();
  return std::move(output_);
}

// What other parts of the program want to be written after tokens.
void Translator::collect_insertions() {
  for (const LaunchBounds::Statement& statement : bounds_.statements) {
    insertions_[statement.open] += statement.text;
  }
  for (SizeCheck& check : kernel_size_checks(*this)) {
    insertions_[check.after] += check.text;
  }
  for (const AtomicHint& hint : atomic_hints(*this, lines_)) {
    insertions_[hint.before] += hint.begin_text;
    insertions_[hint.last] += ")";
  }
  for (const std::size_t at : missing_template_words(*this)) insertions_[at] += "template ";
  for (const std::size_t at : missing_typename_words(*this)) insertions_[at] += " typename ";
  if (is_module_) {
    for (const ModuleKernel& kernel : module_kernels(*this)) {
      insertions_[kernel.after] += kernel.text;
    }
  }
}

// Keeps count of braces: of those that do not change that we are at namespace scope, and, once
// inside anything else, of all.
void Translator::follow_scopes(std::size_t i) {
  if (is(i, "namespace")) {
    after_namespace_ = true;
  } else if (is_one_of(i, ";{}")) {
    const bool opens_namespace = after_namespace_ || is_linkage(i);
    if (is(i, "{") && (inner_braces_ > 0 || !opens_namespace)) ++inner_braces_;
    if (is(i, "}") && inner_braces_ > 0) --inner_braces_;
    after_namespace_ = false;
  }
}

bool Translator::rewrite(std::size_t i) {
  const std::string_view token = word(i);
  if (token == "always_inline" && recursive_inlines_.contains(i)) {
    output_ += "unused       ";  // what follows stays in its column
    copied_ = tokens_[i].end;
    return true;
  }
  for (const Rewrite& entry : rewrites) {
    if (entry.token == token) {
      (this->*entry.function)(i);
      return true;
    }
  }
  return false;
}

// Leaves token i out; what follows it stays in its column.
void Translator::blank(std::size_t i) {
  output_.append(word(i).size(), ' ');
  copied_ = tokens_[i].end;
}

// The end of the program: tables of its types and its device variables, for the runtime. Where
// brackets do not match they would only make the compiler's messages worse.
void Translator::append_tables() {
  const std::optional<std::string> types = type_table(*this, lines_);
  if (!types) return;
  for (const std::string& table : {*types, device_variable_table(*this, lines_)}) {
    if (table.empty()) continue;
    if (!resume_at(text_.size(), Origin::generated)) output_ += '\n';
    output_.append(table).append(1, '\n');
  }
}

void Translator::refuse_broken_rules() const {
  std::string messages;
  for (const std::string& message : kernel_rule_violations(*this, lines_, is_separate_)) {
    messages.append(messages.empty() ? 0 : 1, '\n').append(message);
  }
  if (!messages.empty()) throw TranslationError(messages);
}

// `cudaFree(p);` becomes `cudaFree(p), ::emulator::Discarded{"cudaFree"};`, where the comma is an
// operator of the runtime's: what it finds to say is about the line on which the call begins.
// Mostly nothing follows on the line, and there is no column to be restored.
void Translator::finish_discarded(std::size_t i) {
  while (next_discarded_ < discarded_.size() && discarded_[next_discarded_].close < i) {
    ++next_discarded_;  // part of something that has been rewritten
  }
  if (next_discarded_ == discarded_.size() || discarded_[next_discarded_].close != i) return;
  const DiscardedCall& call = discarded_[next_discarded_];
  const std::size_t begin = tokens_[call.begin].begin;
  const std::string_view text = text_.substr(begin, copied_ - begin);
  const bool one_line = text.find('\n') == std::string_view::npos;
  if (!one_line) resume_at(begin, Origin::generated);
  output_.append(", ::emulator::Discarded{\"").append(call.name).append("\"}");
  const std::string_view rest = text_.substr(copied_, text_.find('\n', copied_) - copied_);
  if (one_line && rest.find_first_not_of("; \t\r}") == std::string_view::npos) return;
  resume_at(copied_, Origin::user);
}

// `(void*)kernel` becomes `(void*)::emulator::kernel_address("kernel", kernel)`, which tells the
// runtime how to launch what the pointer leads to.
void Translator::note_cast(std::size_t i) {
  while (next_cast_ < casts_.size() && casts_[next_cast_].before < i) ++next_cast_;
  if (next_cast_ == casts_.size() || casts_[next_cast_].before != i) return;
  const KernelCast& cast = casts_[next_cast_];
  insertions_[cast.before] += "::emulator::kernel_address(\"" + cast.name + "\", ";
  insertions_[cast.last] += ")";
}

// `__constant__`. The variable stays non-const for g++, which would not instrument it otherwise;
// one that is const anyway may not share a section with others, and needs none.
void Translator::rewrite_constant(std::size_t i) {
  const Declaration declaration = declaration_around(i);
  if (inner_braces_ > 0 && declaration.static_word == nowhere && is_in_function(i)) {
    fail(i, "a __constant__ variable must be declared outside functions");
  }
  const std::string_view replaced = hoist_attributes(i, declaration);
  if (!declaration.is_const) {
    output_ += "__attribute__((section(\"" + std::string(constant_section) + "\")))";
  }
  resume_after(replaced);
}

// Whether the innermost brace around token i is a statement's or a function's: a `)` is before
// it.
bool Translator::is_in_function(std::size_t i) const {
  for (std::size_t depth = 0; i-- > 0;) {
    if (is(i, "}")) ++depth;
    if (is(i, "{") && depth-- == 0) return is(i - 1, ")");
  }
  return false;
}

// `__noinline__` is a word of CUDA's, and within an attribute one of g++'s.
void Translator::rewrite_noinline(std::size_t i) {
  if (is_one_of(i - 1, "(,") || is(i - 1, "::")) {
    output_ += word(i);
    copied_ = tokens_[i].end;
    return;
  }
  if (!flat_kernels_) output_ += "__attribute__((noinline))";
  copied_ = tokens_[i].end;
  resume_at(copied_, Origin::user);
}

// `__attribute__((__cluster_dims__(2, 1, 1)))` becomes `__attribute__((  ))`, and the first
// statement of the kernel `::emulator::detail::declare_cluster(2, 1, 1);`.
void Translator::rewrite_cluster_dims(std::size_t i) {
  const ClusterDims dims = cluster_dims(*this, i);
  if (dims.close == nowhere) fail(i, "'__cluster_dims__' without its numbers");
  if (dims.body == nowhere) {
    fail(i, "__cluster_dims__ must be at the definition of the kernel");
  }
  insertions_[dims.body] += dims.statement;
  copied_ = tokens_[dims.close].end;
  resume_at(copied_, Origin::user);
}

// `__attribute__((__launch_bounds__(128, 2)))` becomes `__attribute__(( ))`.
void Translator::drop_launch_bounds(std::size_t i) {
  const std::size_t close = is(i + 1, "(") ? closing(i + 1) : nowhere;
  if (close == nowhere) fail(i, "'__launch_bounds__' without its numbers");
  copied_ = tokens_[close].end;
  resume_at(copied_, Origin::user);
}

// `asm("mov.u32 %0, %%laneid;" : "=r"(lane))`: machine code of a GPU. The host's stays.
void Translator::rewrite_asm(std::size_t i) {
  const std::optional<InlineAssembly> ptx = inline_assembly(*this, i);
  if (!ptx) {
    output_ += word(i);
    copied_ = tokens_[i].end;
    return;
  }
  const std::size_t begin = tokens_[i].begin;
  output_ += ptx->replacement;
  copied_ = tokens_[ptx->close].end;
  resume_after(text_.substr(begin, copied_ - begin));
}

// `memcpy(a, b, n)` of the program's becomes `emulator_memcpy(a, b, n)`, which is seen.
void Translator::redirect(std::size_t i) {
  std::string_view name = word(i);
  copied_ = tokens_[i].end;
  if (!calls_c_library(i) || lines_.position(tokens_[i].begin).in_system_header) {
    output_ += name;
    return;
  }
  constexpr std::string_view builtin = "__builtin_";
  if (name.substr(0, builtin.size()) == builtin) name.remove_prefix(builtin.size());
  output_.append("emulator_").append(name);
  const std::string_view rest = text_.substr(copied_, text_.find('\n', copied_) - copied_);
  if (rest.find_first_not_of(" \t\r") != std::string_view::npos) {
    resume_at(copied_, Origin::user);
  }
}

// `n = printf("%d", x)`, where the result is used, becomes `n = emulator_printf("%d", x)`: a
// kernel's returns the number of arguments.
void Translator::redirect_printf(std::size_t i) {
  std::size_t begin = i;
  if (is(begin - 1, "::")) begin -= is(begin - 2, "std") ? 2 : 1;
  constexpr std::array<std::string_view, 12> before_values = {
      "=", "(", ",", "return", "+", "+=", "-", "<", ">", "==", "!=", "?"};
  copied_ = tokens_[i].end;
  output_ += word(i);
  if (begin == 0 || !is(i + 1, "(") || !contains(before_values, word(begin - 1)) ||
      lines_.position(tokens_[i].begin).in_system_header) {
    return;
  }
  output_.insert(output_begins_[i], "emulator_");
  resume_at(copied_, Origin::user);
}

// Whether token i is the name in a call with three arguments of a function of the C library's,
// and not in a declaration or of something else of that name.
bool Translator::calls_c_library(std::size_t i) const {
  if (!is(i + 1, "(") || is(i - 1, ".") || is(i - 1, "->")) return false;
  const std::size_t close = closing(i + 1);
  if (close == nowhere) return false;
  std::size_t commas = 0;
  for (std::size_t at = i + 2; at < close; ++at) {
    if (opens(at)) at = closing(at);
    if (is(at, ",")) ++commas;
  }
  if (commas < 2) return false;  // commas in template arguments count, too
  if (is(i - 1, "::")) return is(i - 2, "std") || !is_identifier(i - 2);
  constexpr std::array<std::string_view, 3> before_calls = {"return", "else", "do"};
  if (is_identifier(i - 1)) return contains(before_calls, word(i - 1));
  return !is_one_of(i - 1, "*&");
}

// What cannot be left out without changing what a program does.
void Translator::refuse(std::size_t i) {
  fail(i, std::string(word(i)) + " is not modelled");
}

const std::array<Translator::Rewrite, Translator::rewrite_count> Translator::rewrites = {{
    {"<<<", &Translator::begin_launch},
    {"__shared__", &Translator::rewrite_shared},
    {"__constant__", &Translator::rewrite_constant},
    {"__device__", &Translator::blank},
    {"__global__", &Translator::blank},
    {"__managed__", &Translator::blank},
    {"__cluster_dims__", &Translator::rewrite_cluster_dims},
    {"__launch_bounds__", &Translator::drop_launch_bounds},
    {"__noinline__", &Translator::rewrite_noinline},
    {"asm", &Translator::rewrite_asm},
    {"__asm__", &Translator::rewrite_asm},
    {"__asm", &Translator::rewrite_asm},
    {"__block_size__", &Translator::refuse},
    {"__tile_global__", &Translator::refuse},
    {"printf", &Translator::redirect_printf},
    {"memcpy", &Translator::redirect},
    {"memmove", &Translator::redirect},
    {"memset", &Translator::redirect},
    {"memcmp", &Translator::redirect},
    {"__builtin_memcpy", &Translator::redirect},
    {"__builtin_memmove", &Translator::redirect},
    {"__builtin_memset", &Translator::redirect},
    {"__builtin_memcmp", &Translator::redirect},
}};

std::string translate(std::string_view preprocessed, const TranslationOptions& options) {
  std::string text(preprocessed);
  join_launch_brackets(text);
  return Translator(text, lex(text), options).run();
}

}  // namespace emulator::compiler::translate
