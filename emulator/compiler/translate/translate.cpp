#include "compiler/translate/translate.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <sstream>
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
#include "compiler/translate/rewriter.hpp"
#include "compiler/translate/spaced_launches.hpp"
#include "compiler/translate/template_names.hpp"
#include "compiler/translate/type_table.hpp"

namespace emulator::compiler::translate {
namespace {

using diagnose::broken_kernel_rules;
using diagnose::kernel_size_checks;
using diagnose::SizeCheck;
using ptx::inline_ptx;
using ptx::InlinePtx;
using text::contains;
using text::Declaration;
using text::Declarator;
using text::lex;
using text::Lexed;
using text::nowhere;

// The runtime's dynamic shared memory: a thread-local array, since a host thread runs one block at
// a time, with room for any block's. ::emulator::dynamic_shared() returns its address.
constexpr std::string_view dynamic_shared_symbol = "emulator_dynamic_shared_memory";

// Goes to the lambda that a launch becomes: no instrumentation. (g++ 11 has no word for the
// second.)
constexpr std::string_view unseen =
    "__attribute__((no_sanitize(\"thread\"), no_sanitize_coverage))";

// Goes to each static shared variable. On a GPU a block's shared memory begins at bank 0, and so
// does here what a kernel declares: 32 banks of 4 bytes.
constexpr std::string_view from_bank_0 = "__attribute__((aligned(128)))";

// The words of types that never want more than that.
constexpr std::array<std::string_view, 11> arithmetic = {"bool",   "char",     "const",   "double",
                                                         "float",  "int",      "long",    "short",
                                                         "signed", "unsigned", "volatile"};

// The section of __constant__ variables: how the runtime tells them from global memory.
constexpr std::string_view constant_section = "emulator_constant";

// ------------------------------------------------------------------ the translator

class Translator : private Rewriter {
 public:
  Translator(std::string_view text, Lexed lexed, const TranslationOptions& options)
      : Rewriter(text, std::move(lexed)),
        flat_kernels_(options.flat_kernels),
        is_separate_(options.is_separate),
        is_module_(options.is_module),
        broken_promises_(broken_promises_to_inline(*this)),
        discarded_(discarded_calls(*this, lines_)),
        casts_(kernel_casts(*this, lines_)) {}

  std::string run() {
    refuse_broken_rules();
    for (SizeCheck& check : kernel_size_checks(*this)) {
      insertions_[check.after] += check.text;
    }
    for (const AtomicHint& hint : atomic_hints(*this, lines_)) {
      insertions_[hint.before] += hint.begin_text;
      insertions_[hint.last] += ")";
    }
    for (const std::size_t at : missing_template_words(*this)) insertions_[at] += "template ";
    if (is_module_) {
      for (const ModuleKernel& kernel : module_kernels(*this)) {
        insertions_[kernel.after] += kernel.text;
      }
    }
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
        resume_at(copied_, Origin::student);
      }
      finish_discarded(i);
    }
    copy_until(text_.size());
    append_tables();
    return std::move(output_);
  }

 private:
  // A launch whose `>>>` has yet to come. Launches nest: a lambda among the arguments of one may
  // contain another.
  struct Launch {
    std::string kernel;
    std::size_t kernel_begin;  // token
    std::size_t close;         // token: the first `>` of `>>>`
    bool computed;             // else a name
  };

  // The table of rewrites: a token, and the function that writes something else in its place. To
  // teach the translator another word, add a line. A function leaves copied_ behind what it has
  // dealt with; run() goes on with the next token.
  struct Rewrite {
    std::string_view token;
    void (Translator::*function)(std::size_t);
  };
  static constexpr std::size_t rewrite_count = 21;
  static const std::array<Rewrite, rewrite_count> rewrites;

  // Keeps count of braces: of those that do not change that we are at namespace scope, and, once
  // inside anything else, of all.
  void follow_scopes(std::size_t i) {
    if (is(i, "namespace")) {
      after_namespace_ = true;
    } else if (is_one_of(i, ";{}")) {
      const bool opens_namespace = after_namespace_ || is_linkage(i);
      if (is(i, "{") && (inner_braces_ > 0 || !opens_namespace)) ++inner_braces_;
      if (is(i, "}") && inner_braces_ > 0) --inner_braces_;
      after_namespace_ = false;
    }
  }

  bool rewrite(std::size_t i) {
    const std::string_view token = word(i);
    if (token == "always_inline" && broken_promises_.contains(i)) {
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
  void blank(std::size_t i) {
    output_.append(word(i).size(), ' ');
    copied_ = tokens_[i].end;
  }

  // The end of the program: tables of its types and its device variables, for the runtime. Where
  // brackets do not match they would only make the compiler's messages worse.
  void append_tables() {
    const std::optional<std::string> types = type_table(*this, lines_);
    if (!types) return;
    for (const std::string& table : {*types, device_variable_table(*this, lines_)}) {
      if (table.empty()) continue;
      if (!resume_at(text_.size(), Origin::generated)) output_ += '\n';
      output_.append(table).append(1, '\n');
    }
  }

  void refuse_broken_rules() const {
    std::string messages;
    for (const std::string& message : broken_kernel_rules(*this, lines_, is_separate_)) {
      messages.append(messages.empty() ? 0 : 1, '\n').append(message);
    }
    if (!messages.empty()) throw TranslationError(messages);
  }

  // `<<<`. A launch becomes
  //
  //     ::emulator::launch_with("k", ::emulator::Configuration(CONFIGURATION),
  //         [&](auto&... emulator_arguments) UNSEEN
  //             -> decltype(static_cast<void>((k<T>)(emulator_arguments...))) {
  //           (k<T>)(emulator_arguments...);
  //         })(ARGUMENTS)
  //
  // one postfix expression for another, so that it can stand wherever the launch stood. The lambda
  // is generic because only the call says which overload or instance of a kernel is meant; its
  // trailing return type lets the runtime ask whether arguments fit. UNSEEN, its attributes, keeps
  // it out of the counts, and the kernel, which is not UNSEEN, from being inlined. The parentheses
  // around the kernel keep g++ from putting off its look-up until the arguments are known: a
  // misspelt name is an error where it stands. The configuration and the arguments stay in place,
  // so launches inside of them come to their turn by themselves. A kernel that has to be worked
  // out, as `kernels.at(i)` has, is so once, by the host, and so is one that a function has been
  // given as a parameter: the lambda begins
  //
  //         ::emulator::chosen([&, emulator_kernel = kernels.at(i)]
  //
  // and calls that. So it holds nothing but a pointer to the kernel, and can wait in a stream.
  void begin_launch(std::size_t open) {
    const std::size_t begin = kernel_begin(open);
    if (begin == nowhere) fail(open, "'<<<' without a kernel's name before it");
    const std::size_t close = configuration_end(open);
    if (close == nowhere) fail(open, "'<<<' without a matching '>>>('");
    const bool is_variable = begin + 1 == open && is_parameter(begin);
    Launch launch{on_one_line(begin, open), begin, close,
                  is_variable || kernel_is_computed(begin, open)};
    const std::string_view original =
        text_.substr(tokens_[begin].begin, tokens_[open].begin - tokens_[begin].begin);
    for (std::size_t i = begin; i < open; ++i) {
      if (is(i, "<<<")) fail(i, "a launch inside the expression that names a kernel");
    }
    output_.resize(output_begins_[begin]);
    resume_at(tokens_[begin].begin, Origin::generated);
    output_.append("::emulator::launch_with(").append(quoted_name(begin, open));
    output_.append(", ::emulator::Configuration(");
    if (!resume_at(tokens_[open].end, Origin::student)) keep_line_breaks(original);
    copied_ = tokens_[open].end;
    launches_.push_back(std::move(launch));
  }

  // `>>>`
  void finish_launch() {
    const Launch launch = std::move(launches_.back());
    launches_.pop_back();
    const std::size_t kernel_at = tokens_[launch.kernel_begin].begin;
    resume_at(tokens_[launch.close].begin, Origin::generated);
    const auto append_kernel = [&] {
      resume_at(kernel_at, Origin::generated);
      output_ += launch.kernel;
    };
    output_ += launch.computed ? "), ::emulator::chosen([&" : "), [&";
    if (launch.computed) {
      output_ += ", emulator_kernel = ";
      append_kernel();
    }
    output_.append("](auto&... emulator_arguments) ").append(unseen);
    if (g_plus_plus_fails(launch)) {
      output_ += " -> void { (";
    } else {
      output_ += " -> decltype(static_cast<void>((";
      append_kernel();
      output_ += ")(emulator_arguments...))) { (";
    }
    if (launch.computed) {
      output_ += "emulator_kernel";
    } else {
      append_kernel();
    }
    output_ += launch.computed ? ")(emulator_arguments...); }))" : ")(emulator_arguments...); })";
    if (has_braced_argument(launch.close + 3)) {
      // Only the kernel's parameters say what such an argument is.
      output_ += launch.computed ? ".typed(static_cast<decltype(+(" : ".typed(";
      append_kernel();
      output_ += launch.computed ? "))>(nullptr))" : ")";
    }
    copied_ = tokens_[launch.close + 2].end;
    resume_at(copied_, Origin::student);
  }

  // Whether the lambda does without its trailing return type. g++ 13 cannot read one that names a
  // constant of a lambda around it, `[&](auto size) { k<size.value><<<...>>>(p); }`: it says that
  // no arguments fit, or breaks down. Then g++ itself says of a wrong argument that it is wrong;
  // only an integer that stands for a null pointer needs the runtime's question.
  bool g_plus_plus_fails(const Launch& launch) const {
    const std::size_t open = launch.close + 3;
    const std::size_t close = closing(open);
    if (launch.computed || launch.kernel.find('<') == std::string::npos || close == nowhere) {
      return false;
    }
    for (std::size_t i = open; i < close; ++i) {
      if (is(i, "0") || is(i, "NULL") || is(i, "__null")) return false;
    }
    return stands_in_lambda(launch.kernel_begin);
  }

  // Whether one of the braces around token i is a lambda's body: `](...) {`, `] {`, `] mutable {`.
  bool stands_in_lambda(std::size_t i) const {
    std::size_t depth = 0;
    while (i-- > 0) {
      if (is(i, "}")) ++depth;
      if (!is(i, "{")) continue;
      if (depth > 0) {
        --depth;
        continue;
      }
      std::size_t head = i;  // back to the declaration's begin, or to the lambda's captures
      for (std::size_t parentheses = 0; head > 0; --head) {
        const std::size_t before = head - 1;
        if (is(before, ")")) ++parentheses;
        if (is(before, "(") && parentheses-- == 0) break;
        if (parentheses > 0) continue;
        if (is(before, "]")) return true;
        if (is_one_of(before, ";{}")) break;
      }
    }
    return false;
  }

  // `(p, {1, 2})`, from the bracket at token i on
  bool has_braced_argument(std::size_t i) const {
    const std::size_t close = closing(i);
    for (; close != nowhere && i < close; ++i) {
      if (is(i + 1, "{") && is_one_of(i, "(,")) return true;
      if (opens(i + 1)) i = closing(i + 1);
    }
    return false;
  }

  // `__shared__`. Static shared memory becomes thread-local storage, each variable from bank 0 on.
  //
  // Dynamic shared memory in a kernel becomes a reference to an array at the address that the
  // runtime gives. It is asked once; from there on g++ keeps the address in a register, and a use
  // of the array costs what it costs in CUDA. What the array cannot do is to be captured by copy
  // ([=]), which the compiler says.
  //
  // At namespace scope there is no time at which to ask: every host thread has its own buffer, and
  // an object that asks at each use is no array to reinterpret_cast. There the declaration gets the
  // name of the runtime's array, by way of the name the assembler sees. (g++ loses such a name in
  // a function template; that is why kernels do not use it.) `__thread`, not thread_local: it
  // promises that nothing needs initialising, else g++ would call a function before each use
  // that nobody has written.
  void rewrite_shared(std::size_t i) {
    const Declaration declaration = declaration_around(i);
    if (declaration.extern_word == nowhere) {
      const std::string_view replaced = hoist_attributes(i, declaration);
      output_ += declaration.static_word == nowhere ? "static thread_local " : "thread_local ";
      append_shared_alignment(declaration);
      resume_after(replaced);
      // With an initialiser g++ sees that zeros will do for a type with constructors, such as half;
      // else it would guard the variable, and the guard would be counted as traffic.
      for (const Declarator& declarator : declaration.declarators) {
        if (declarator.end == nowhere) continue;
        if (is_one_of(declarator.end, "={")) {
          fail(declarator.name,
               "a __shared__ variable cannot be initialised: let a thread write it, then "
               "__syncthreads()");
        }
        if (is(declarator.end, ",") || is(declarator.end, ";")) {
          insertions_[declarator.end - 1] = " {}";
        }
      }
    } else if (inner_braces_ > 0) {
      refer_to_dynamic_shared(i, declaration);
    } else {
      const std::string_view replaced = hoist_attributes(i, declaration);
      // g++ wants extern before __thread.
      if (declaration.extern_word < i) {
        output_ += "__thread";
      } else {
        output_ += "extern __thread";
        blanked_ = declaration.extern_word;
      }
      resume_after(replaced);
      for (const Declarator& declarator : declaration.declarators) {
        if (declarator.end == nowhere) continue;
        insertions_[declarator.end - 1] =
            " __asm__(\"" + std::string(dynamic_shared_symbol) + "\")";
      }
    }
  }

  // From bank 0 on, or from where the type wants it: g++ takes from_bank_0 alone for an answer,
  // even if the type wants more, and of two such attributes the larger. The type of what a pointer
  // points to need not be complete, and one that is defined right here has no name to ask by.
  void append_shared_alignment(const Declaration& declaration) {
    output_ += from_bank_0;
    if (declaration.declarators.empty()) return;
    const Declarator& first = declaration.declarators.front();
    if (first.name == nowhere || first.begin != first.name) return;
    std::size_t next = declaration.begin;  // the first token that has not been dealt with
    for (std::size_t i = declaration.begin; i < first.begin; ++i) {
      if (is(i, "{")) return;
      if (tokens_[i].begin < copied_) next = i + 1;
    }
    const std::string type = without_storage(declaration.begin, first.begin);
    std::istringstream words(type);
    bool may_want_more = false;
    for (std::string word; words >> word;) may_want_more |= !contains(arithmetic, word);
    if (!may_want_more) return;
    output_ += " __attribute__((aligned(__alignof__(";
    resume_at(tokens_[next].begin, Origin::student);  // if there is no such type, it is said there
    output_.append(type).append("))))");
  }

  // `extern __shared__ T s[][16];` in a function. The whole declaration is written anew, without
  // attributes, which have nothing to say about a reference.
  void refer_to_dynamic_shared(std::size_t i, const Declaration& declaration) {
    const std::vector<Declarator>& declarators = declaration.declarators;
    for (const Declarator& declarator : declarators) {
      if (declarator.name == nowhere || is_one_of(declarator.begin - 1, "(")) {
        fail(i, "a form of 'extern __shared__' that the emulator does not know");
      }
    }
    if (declaration.semicolon == nowhere) fail(i, "'extern __shared__' without a ';'");
    output_.resize(output_begins_[declaration.begin]);
    const std::string type = without_storage(declaration.begin, declarators.front().begin);
    output_ += type;
    for (const Declarator& declarator : declarators) {
      const std::string stars = without_storage(declarator.begin, declarator.name);
      const std::string bounds = without_storage(declarator.name + 1, declarator.end);
      if (&declarator != &declarators.front()) output_ += ',';
      output_.append(" ").append(stars).append("(&").append(word(declarator.name)).append(")");
      output_.append(bounds).append(" __attribute__((unused)) = *static_cast<").append(type);
      output_.append(" ").append(stars).append("(*)").append(bounds);
      output_ += ">(::emulator::dynamic_shared())";
    }
    const std::size_t begin = tokens_[declaration.begin].begin;
    copied_ = tokens_[declaration.semicolon].begin;
    resume_after(text_.substr(begin, copied_ - begin));
  }

  // `cudaFree(p);` becomes `cudaFree(p), ::emulator::Discarded{"cudaFree"};`, where the comma is an
  // operator of the runtime's: what it finds to say is about the line on which the call begins.
  // Mostly nothing follows on the line, and there is no column to be restored.
  void finish_discarded(std::size_t i) {
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
    resume_at(copied_, Origin::student);
  }

  // `(void*)kernel` becomes `(void*)::emulator::kernel_address("kernel", kernel)`, which tells the
  // runtime how to launch what the pointer leads to.
  void note_cast(std::size_t i) {
    while (next_cast_ < casts_.size() && casts_[next_cast_].before < i) ++next_cast_;
    if (next_cast_ == casts_.size() || casts_[next_cast_].before != i) return;
    const KernelCast& cast = casts_[next_cast_];
    insertions_[cast.before] += "::emulator::kernel_address(\"" + cast.name + "\", ";
    insertions_[cast.last] += ")";
  }

  // `__constant__`. The variable stays non-const for g++, which would not instrument it otherwise;
  // one that is const anyway may not share a section with others, and needs none.
  void rewrite_constant(std::size_t i) {
    const Declaration declaration = declaration_around(i);
    if (inner_braces_ > 0 && declaration.static_word == nowhere && is_in_function(i)) {
      fail(i, "a __constant__ variable stands outside of functions");
    }
    const std::string_view replaced = hoist_attributes(i, declaration);
    if (!declaration.is_const) {
      output_ += "__attribute__((section(\"" + std::string(constant_section) + "\")))";
    }
    resume_after(replaced);
  }

  // Whether the innermost brace around token i is a statement's or a function's: a `)` is before
  // it.
  bool is_in_function(std::size_t i) const {
    for (std::size_t depth = 0; i-- > 0;) {
      if (is(i, "}")) ++depth;
      if (is(i, "{") && depth-- == 0) return is(i - 1, ")");
    }
    return false;
  }

  // `__noinline__` is a word of CUDA's, and within an attribute one of g++'s.
  void rewrite_noinline(std::size_t i) {
    if (is_one_of(i - 1, "(,") || is(i - 1, "::")) {
      output_ += word(i);
      copied_ = tokens_[i].end;
      return;
    }
    if (!flat_kernels_) output_ += "__attribute__((noinline))";
    copied_ = tokens_[i].end;
    resume_at(copied_, Origin::student);
  }

  // `__attribute__((__cluster_dims__(2, 1, 1)))` becomes `__attribute__((  ))`, and the first
  // statement of the kernel `::emulator::detail::declare_cluster(2, 1, 1);`.
  void rewrite_cluster_dims(std::size_t i) {
    const ClusterDims dims = cluster_dims(*this, i);
    if (dims.close == nowhere) fail(i, "'__cluster_dims__' without its numbers");
    if (dims.body == nowhere) {
      fail(i, "__cluster_dims__ has to stand at the definition of the kernel");
    }
    insertions_[dims.body] += dims.statement;
    copied_ = tokens_[dims.close].end;
    resume_at(copied_, Origin::student);
  }

  // `asm("mov.u32 %0, %%laneid;" : "=r"(lane))`: machine code of a GPU. The host's stays.
  void rewrite_asm(std::size_t i) {
    const std::optional<InlinePtx> ptx = inline_ptx(*this, i);
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
  void redirect(std::size_t i) {
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
      resume_at(copied_, Origin::student);
    }
  }

  // Whether token i is the name in a call with three arguments of a function of the C library's,
  // and not in a declaration or of something else of that name.
  bool calls_c_library(std::size_t i) const {
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
  void refuse(std::size_t i) { fail(i, std::string(word(i)) + " is not modelled"); }

  const bool flat_kernels_;
  const bool is_separate_;
  const bool is_module_;
  const std::set<std::size_t> broken_promises_;
  const std::vector<DiscardedCall> discarded_;
  const std::vector<KernelCast> casts_;

  std::size_t next_discarded_ = 0;  // first of them that has not been dealt with
  std::size_t next_cast_ = 0;       // and of the casts
  std::vector<Launch> launches_;    // begun and not finished, the innermost last
  std::size_t inner_braces_ = 0;    // open now, not counting namespaces
  bool after_namespace_ = false;    // the next `{` is a namespace's
  std::size_t blanked_ = nowhere;   // token to leave out
};

const std::array<Translator::Rewrite, Translator::rewrite_count> Translator::rewrites = {{
    {"<<<", &Translator::begin_launch},
    {"__shared__", &Translator::rewrite_shared},
    {"__constant__", &Translator::rewrite_constant},
    {"__device__", &Translator::blank},
    {"__global__", &Translator::blank},
    {"__managed__", &Translator::blank},
    {"__cluster_dims__", &Translator::rewrite_cluster_dims},
    {"__noinline__", &Translator::rewrite_noinline},
    {"asm", &Translator::rewrite_asm},
    {"__asm__", &Translator::rewrite_asm},
    {"__asm", &Translator::rewrite_asm},
    {"__block_size__", &Translator::refuse},
    {"__tile_global__", &Translator::refuse},
    {"memcpy", &Translator::redirect},
    {"memmove", &Translator::redirect},
    {"memset", &Translator::redirect},
    {"memcmp", &Translator::redirect},
    {"__builtin_memcpy", &Translator::redirect},
    {"__builtin_memmove", &Translator::redirect},
    {"__builtin_memset", &Translator::redirect},
    {"__builtin_memcmp", &Translator::redirect},
}};

}  // namespace

std::string translate(std::string_view preprocessed, const TranslationOptions& options) {
  std::string text(preprocessed);
  close_up_launches(text);
  return Translator(text, lex(text), options).run();
}

}  // namespace emulator::compiler::translate
