#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/lexer.hpp"
#include "compiler/translate/discarded_calls.hpp"
#include "compiler/translate/kernel_casts.hpp"
#include "compiler/translate/launch_bounds.hpp"
#include "compiler/translate/object_parameters.hpp"
#include "compiler/translate/rewriter.hpp"
#include "compiler/translate/translate.hpp"

/// \file
/// The translator itself: it goes through a text token by token, and writes something else in place
/// of some. Launches are in launches.cpp, `__shared__` variables in shared_variables.cpp.

namespace emulator::compiler::translate {

class Translator : private Rewriter {
 public:
  Translator(std::string_view text, text::LexedText lexed, const TranslationOptions& options);

  /// The whole text in C++; to be called once.
  /// \throws TranslationError
  std::string run();

 private:
  // A launch whose `>>>` has yet to come. Launches nest: a lambda among the arguments of one may
  // contain another.
  struct Launch {
    std::string kernel;
    std::size_t kernel_begin;  // token
    std::size_t close;         // token: the first `>` of `>>>`
    bool computed;             // else a name
    bool bounded;              // of a kernel with __launch_bounds__
    bool has_objects;          // or may have: parameters with a destructor
  };

  // The table of rewrites: a token, and the function that writes something else in its place. To
  // teach the translator another word, add a line. A function leaves copied_ behind what it has
  // dealt with; run() goes on with the next token.
  struct Rewrite {
    std::string_view token;
    void (Translator::*function)(std::size_t);
  };
  static constexpr std::size_t rewrite_count = 23;
  static const std::array<Rewrite, rewrite_count> rewrites;

  void refuse_broken_rules() const;
  void collect_insertions();
  void follow_scopes(std::size_t i);
  bool rewrite(std::size_t i);
  void append_tables();
  void finish_discarded(std::size_t i);
  void note_cast(std::size_t i);

  // The functions of the table.
  void begin_launch(std::size_t open);
  void rewrite_shared(std::size_t i);
  void rewrite_constant(std::size_t i);
  void blank(std::size_t i);
  void rewrite_cluster_dims(std::size_t i);
  void drop_launch_bounds(std::size_t i);
  void rewrite_noinline(std::size_t i);
  void rewrite_asm(std::size_t i);
  void refuse(std::size_t i);
  void redirect(std::size_t i);
  void redirect_printf(std::size_t i);

  void finish_launch();
  bool g_plus_plus_fails(const Launch& launch) const;
  bool stands_in_lambda(std::size_t i) const;
  bool is_bounded(std::size_t begin, std::size_t open) const;
  bool has_objects(std::size_t begin, std::size_t open) const;
  bool has_braced_argument(std::size_t i) const;

  void append_shared_alignment(const text::Declaration& declaration);
  void refer_to_dynamic_shared(std::size_t i, const text::Declaration& declaration);

  bool is_in_function(std::size_t i) const;
  bool calls_c_library(std::size_t i) const;

  const bool flat_kernels_;
  const bool is_separate_;
  const bool is_module_;
  const std::set<std::size_t> recursive_inlines_;
  const std::vector<DiscardedCall> discarded_;
  const std::vector<KernelCast> casts_;
  const LaunchBounds bounds_;
  const ObjectKernels object_kernels_;

  std::size_t next_discarded_ = 0;       // first of them that has not been dealt with
  std::size_t next_cast_ = 0;            // and of the casts
  std::vector<Launch> launches_;         // begun and not finished, the innermost last
  std::size_t inner_braces_ = 0;         // open now, not counting namespaces
  bool after_namespace_ = false;         // the next `{` is a namespace's
  std::size_t blanked_ = text::nowhere;  // token to leave out
};

}  // namespace emulator::compiler::translate
