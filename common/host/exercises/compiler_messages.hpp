/// @file
/// What compilers and linkers say about a student's file, cut down to what the student needs.
#pragma once

#include <string>
#include <vector>

namespace course::tool {

/// What matters of a compiler's messages, g++'s or nvcc's, about a file that did not compile:
/// from the first error in that file on (or from where it makes use of a header in which the error
/// is), without the lines that say in which function or by which #include, at most `limit` lines.
/// @param source the file's path as the compiler was given it
std::vector<std::string> compiler_errors(const std::vector<std::string>& output,
                                         const std::string& source, std::size_t limit = 20);

/// The same of a file that compiled: its warnings.
std::vector<std::string> compiler_warnings(const std::vector<std::string>& output,
                                           std::size_t limit = 20);

/// What a linker could not do with the student's object, in sentences, one a line; its own errors
/// if they are of no kind that is known here.
/// @param source the file's path as messages name it
/// @param object the student's object, as the linker was given it
/// @param defined what functions the object defines ("launch_residual(float*, int)"), if known
std::vector<std::string> linker_errors(const std::vector<std::string>& output,
                                       const std::string& source, const std::string& object,
                                       const std::vector<std::string>& defined);

/// The functions among the lines that `nm --demangle --defined-only` prints of an object.
std::vector<std::string> functions_among(const std::vector<std::string>& symbols);

}  // namespace course::tool
