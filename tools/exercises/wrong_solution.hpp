/// @file
/// Wrong solutions. Each is kept as what it differs in from the model solution, in
/// solutions/NNx_name/wrong/*.patch:
///
///     caught by: safe: nothing outside the arrays is touched
///     Threads beyond the last row read b and write r beyond their ends.
///
///     @@ -12,3 +12,2 @@
///        const int i = blockIdx.x * blockDim.x + threadIdx.x;
///     -  if (i >= m) return;  // the last block may reach beyond the last row
///        // In size_t: i * lda can be more than an int holds.
///
/// The first line names the case that must catch it, the next ones say what is wrong. The lines
/// after the empty one are what `diff -U1` says of the two, from its third line on. The model
/// solution is meant as solution_of() makes it, for that is what is compiled.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace course::tool {

/// The case that must catch a wrong solution: the rest of `caught by: NAME`, the first line of its
/// text; empty if that says nothing.
std::string caught_by(const std::string& text);

/// Makes a wrong solution of a model solution.
/// @param patch its file; all of it has to apply, to lines that are exactly those of the model
/// @param model the model solution without markers
/// @param made is written
/// @return why it does not apply; nothing if it does
/// @throws Failure if the program `patch` cannot be run
std::optional<std::string> make_wrong_solution(const std::filesystem::path& patch,
                                               const std::filesystem::path& model,
                                               const std::filesystem::path& made);

}  // namespace course::tool
