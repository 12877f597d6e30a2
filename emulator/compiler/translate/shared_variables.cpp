// __shared__ variables, static and dynamic.

#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/token_text.hpp"
#include "compiler/translate/translator.hpp"

namespace emulator::compiler::translate {
namespace {

using text::contains;
using text::Declaration;
using text::Declarator;
using text::nowhere;

// The runtime's dynamic shared memory: a thread-local array, since a host thread runs one block at
// a time, with room for any block's. ::emulator::dynamic_shared() returns its address.
constexpr std::string_view dynamic_shared_symbol = "emulator_dynamic_shared_memory";

// Goes to each static shared variable. On a GPU a block's shared memory begins at bank 0, and so
// does here what a kernel declares: 32 banks of 4 bytes.
constexpr std::string_view from_bank_0 = "__attribute__((aligned(128)))";

// The words of types that never want more than that.
constexpr std::array<std::string_view, 11> arithmetic = {"bool",   "char",     "const",   "double",
                                                         "float",  "int",      "long",    "short",
                                                         "signed", "unsigned", "volatile"};

}  // namespace

// `__shared__`. Static shared memory becomes thread-local storage, each variable from bank 0 on.
//
// Dynamic shared memory in a kernel becomes a reference to an array at the address that the
// runtime gives. It is asked once; from there on g++ keeps the address in a register, and a use
// of the array costs what it costs in CUDA. What the array cannot do is to be captured by copy
// ([=]), which the compiler says.
//
// At namespace scope there is no time at which to ask: every host thread has its own buffer, and
// an object that asks at each use is not an array to reinterpret_cast. There the declaration gets
// the name of the runtime's array, by way of the name the assembler sees. (g++ loses such a name in
// a function template; that is why kernels do not use it.) `__thread`, not thread_local: it
// promises that nothing needs initialising, else g++ would call a function before each use that
// nothing has written.
void Translator::rewrite_shared(std::size_t i) {
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
      insertions_[declarator.end - 1] = " __asm__(\"" + std::string(dynamic_shared_symbol) + "\")";
    }
  }
}

// From bank 0 on, or from where the type wants it: g++ takes from_bank_0 alone for an answer,
// even if the type wants more, and of two such attributes the larger. The type of what a pointer
// points to need not be complete, and one that is defined right here has no name to ask by.
void Translator::append_shared_alignment(const Declaration& declaration) {
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
  resume_at(tokens_[next].begin, Origin::user);  // if there is no such type, it is said there
  output_.append(type).append("))))");
}

// `extern __shared__ T s[][16];` in a function. The whole declaration is rewritten, without
// attributes, which have nothing to say about a reference.
void Translator::refer_to_dynamic_shared(std::size_t i, const Declaration& declaration) {
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

}  // namespace emulator::compiler::translate
