/// @file
/// The file that a student gets: a model solution without what is to be found out.
///
/// A model solution marks regions:
///
///     //@stub
///     //@ // TODO ({lines} lines): add up the row.
///     //@solution
///       float sum = 0;
///       ...
///     //@end
///
/// What follows "//@ " is in the stub, a bare "//@" for an empty line, indented as //@stub is;
/// {lines} becomes the number of lines of code between //@solution and //@end. What is outside
/// the regions is in both files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace course::tool {

/// The stub of a model solution.
/// @param name of the file, for errors
/// @throws Failure "name:line: ..." where the markers are not as above
std::string stub_of(const std::string& model, const std::string& name);

/// The model solution as a reader should see it: without markers and without the stub's lines.
/// @throws Failure as stub_of()
std::string solution_of(const std::string& model, const std::string& name);

/// The same, of a file.
/// @throws Failure also if it cannot be read
std::string read_stub(const std::filesystem::path& model);
std::string read_solution(const std::filesystem::path& model);

/// The first line in which two texts differ, from 1 on; nothing if they are the same.
std::optional<int> first_difference(const std::string& one, const std::string& other);

/// The first line that holds a word, from 1 on.
std::optional<int> line_with(const std::string& text, const std::string& word);

}  // namespace course::tool
