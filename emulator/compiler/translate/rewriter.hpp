#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/lexer.hpp"
#include "compiler/text/line_map.hpp"

/// \file
/// Rewriting a text from its tokens, so that compilers and debuggers still find the lines and
/// columns of the original.

namespace emulator::compiler::translate {

/// A text in CUDA C++ that is read from its beginning to its end while another one is written.
class Rewriter : protected text::CudaText {
 protected:
  Rewriter(std::string_view text, text::LexedText lexed);

  /// Copies what is between tokens, without the pragmas that are for nvcc.
  void copy_until(std::size_t end);

  enum class Origin { user, generated };

  /// Makes the compiler believe that what is written next is at `offset` of the input: a line
  /// marker for the line, blanks for the column. Generated code poses as a system header's, for
  /// which g++ holds its warnings back. Returns false if the input names no file to refer to.
  bool resume_at(std::size_t offset, Origin origin);

  /// To call after something was written in place of a part of the input that ends at copied_.
  void resume_after(std::string_view left_out);

  void keep_line_breaks(std::string_view text);

  /// nvcc takes `__shared__ alignas(16) float x[4];`, where `__shared__` is an attribute itself. To
  /// g++ the alignment would come in the middle of the specifiers, where it is forbidden, so move
  /// it to their beginning. Returns the text of token i and of those moved, and takes it for dealt
  /// with.
  std::string_view hoist_attributes(std::size_t i, const text::Declaration& declaration);

  /// \throws TranslationError about token i
  [[noreturn]] void fail(std::size_t i, std::string_view what) const;

  const std::vector<text::Directive> directives_;
  const text::LineMap lines_;

  std::string output_;
  std::size_t copied_ = 0;  ///< end of the part of the input that has been dealt with
  std::vector<std::size_t> output_begins_;         ///< where each token begins in the output
  std::map<std::size_t, std::string> insertions_;  ///< to write after a token

 private:
  bool is_dropped(const text::Directive& directive) const;

  std::size_t next_directive_ = 0;  // first that has not been dealt with
};

}  // namespace emulator::compiler::translate
