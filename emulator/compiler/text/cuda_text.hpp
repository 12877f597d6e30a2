#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/text/token_text.hpp"

/// \file
/// Reading CUDA C++ by its tokens: which kernel a launch names, and what a declaration declares.

namespace emulator::compiler::text {

/// `*s[][16]` of `float x[], *s[][16];`, as tokens.
struct Declarator {
  std::size_t begin;
  std::size_t name;
  std::size_t end;  ///< one past the last `]`
};

/// What the translator has to know about a declaration.
struct Declaration {
  std::size_t begin;                  ///< first token
  std::size_t semicolon = nowhere;    ///< token
  std::size_t static_word = nowhere;  ///< token
  std::size_t extern_word = nowhere;  ///< token
  bool is_const = false;              ///< the variable itself, not what it points to
  bool is_constexpr = false;
  std::vector<Declarator> declarators;
};

/// A text in CUDA C++ and its tokens.
class CudaText : public TokenText {
 public:
  using TokenText::TokenText;

  /// The first token of the postfix expression that ends before token `end`; nowhere if there is
  /// none. Reads backwards: suffixes first, then a name and what qualifies it.
  std::size_t kernel_begin(std::size_t end) const;

  /// Whether that expression, tokens [begin, end), has to be worked out, once a launch, as
  /// `kernels.at(i)`, `rung.kernel` or `(two ? k2 : k1)` have. Else it names a function, which may
  /// be a template or one of several, so that only the arguments say which.
  bool kernel_is_computed(std::size_t begin, std::size_t end) const;

  /// Whether the name at token i is a parameter of a function or a lambda around it, or the
  /// variable of a loop over a range: as a kernel's name it is then a variable that holds a kernel.
  bool is_parameter(std::size_t i) const;

  /// The `>>>` that ends the configuration, followed by `(`, for the `<<<` at token `open`. A shift
  /// is two `>`; in `f<int>>>>(`, of four `>` the first is part of the configuration.
  std::size_t configuration_end(std::size_t open) const;

  /// The declaration that token i is a part of.
  Declaration declaration_around(std::size_t i) const;

  /// Tokens [begin, end) as they are, but on one line.
  std::string on_one_line(std::size_t begin, std::size_t end) const;

  /// The kernel's name for messages and reports, as a string literal: no template arguments.
  std::string quoted_name(std::size_t begin, std::size_t end) const;

  /// Tokens [begin, end) without storage class and attributes.
  std::string without_storage(std::size_t begin, std::size_t end) const;

 private:
  bool is_name(std::size_t i) const;
  std::size_t opening_angle(std::size_t i) const;
  bool continues_expression(std::size_t i) const;
  std::size_t name_begin(std::size_t end) const;
  std::size_t qualifier_begin(std::size_t end) const;
  std::size_t parameters_before(std::size_t body) const;
  bool touches(std::size_t i) const;
  void read_specifier(std::size_t i, Declaration& declaration) const;
  std::size_t declaration_begin(std::size_t i) const;
};

}  // namespace emulator::compiler::text
