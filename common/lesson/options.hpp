/// @file
/// The command line of a chapter's program.
///
///     course::Defaults defaults;
///     defaults.program = "01_global";
///     defaults.description = "y = A x with one thread per row and A row by row in memory.";
///     int block = 128;
///     defaults.add("--block", &block, 1, 1024, "threads in a block");
///     const course::Options options = course::parse_options(argc, argv, defaults);
///
/// A value is written `--rows 5` or `--rows=5`, and an option is given at most once. An invalid
/// command line gets one line on stderr and exit status 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "data.hpp"

namespace course {

/// The values of the command line's options.
struct Options {
  std::string program;
  std::size_t rows = 1;  ///< of the matrix; the number of elements if there is only a vector
  std::size_t cols = 1;  ///< of the matrix; 1 if there is only a vector
  /// k of a product of matrices, C = A B with C of rows x cols and A of rows x inner; 0 elsewhere.
  std::size_t inner = 0;
  int repeat = 20;  ///< timed launches of each kernel; the emulator makes one
  Data data = Data::ladder;
  std::uint64_t seed = 1;  ///< of exact and random data
  std::string csv;         ///< file for the results, or empty
  std::string json;        ///< file for the results, or empty
  bool traffic = false;    ///< list the kernels' memory traffic line by line at the end
  bool help = false;       ///< help was requested, and nothing else was read
};

/// An invalid command line. what() is one line, without the program's name.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(std::string text);
};

/// One option: its spelling, its help, and its effect.
struct Option {
  std::string name;                              ///< "--rows"
  std::string value;                             ///< "N"; empty for a flag
  std::string wants;                             ///< the valid values, as a phrase
  std::string help;                              ///< one line
  std::function<bool(const std::string&)> take;  ///< uses the value; false if it is invalid
};

namespace detail {

/// The bytes of a square matrix of this extent fit in 64 bits, and the threads of a grid that is
/// rounded up to whole blocks can be numbered with an int.
inline constexpr std::uint64_t largest_extent = (1u << 31) - 1024;
static_assert(sizeof(std::size_t) == 8, "sizes are computed in 64 bits");

/// An option that takes a whole decimal number; the value must contain nothing else, not even a
/// sign.
/// @param set is called with the number
/// @param help ends with the default, "(default 5)"
Option number_option(const std::string& name, std::uint64_t smallest, std::uint64_t largest,
                     const std::string& help, std::function<void(std::uint64_t)> set);

/// The same for a variable. Its current value is the default.
template <class Integer>
Option number_option(const std::string& name, Integer* variable, std::uint64_t smallest,
                     std::uint64_t largest, const std::string& help) {
  return number_option(name, smallest, largest,
                       help + " (default " + std::to_string(*variable) + ")",
                       [=](std::uint64_t number) { *variable = static_cast<Integer>(number); });
}

}  // namespace detail

/// A chapter's part of its command line.
struct Defaults {
  struct Shape {
    std::size_t rows;
    std::size_t cols;
    std::size_t inner = 0;
  };

  std::string program;              ///< its name in messages, "01_global"
  std::string description;          ///< for --help: lines of at most 80 characters
  Shape on_gpu{16384, 16384};       ///< default shape on a GPU
  Shape on_emulator{2048, 2048};    ///< default shape on the emulator
  bool emulator = false;            ///< which of the two applies
  bool matrix = true;               ///< --rows, --cols and --size; if false, only --size
  bool product = false;             ///< of matrices, C = A B: --m, --n, --k and --size
  bool choose_data = true;          ///< whether there is a --data
  std::vector<Option> own_options;  ///< the chapter's own; see add()

  /// Adds an option that sets *variable to a whole number. Its current value is the default.
  template <class Integer>
  void add(const std::string& name, Integer* variable, std::uint64_t smallest,
           std::uint64_t largest, const std::string& help) {
    own_options.push_back(detail::number_option(name, variable, smallest, largest, help));
  }

  /// Adds a flag: an option without a value, which sets *variable to true.
  void add(const std::string& name, bool* variable, const std::string& help) {
    const auto set = [=](const std::string&) { return *variable = true; };
    own_options.push_back({name, "", "", help, set});
  }
};

/// The text for --help.
std::string help_text(const Defaults& defaults);

/// Reads the arguments after the program's name.
/// @throws UsageError if they are invalid. Then no file has been changed or created.
Options parse_arguments(const std::vector<std::string>& arguments, const Defaults& defaults);

/// Throws a UsageError of that option unless the file can be written. Does not change its contents,
/// nor leave a new file.
void require_writable(const std::string& option, const std::string& path);

/// Reads main's arguments. Shows the help and exits with 0 if they ask for it; prints one line on
/// stderr and exits with 2 if they are invalid. Arranges the listing that --traffic asks for.
Options parse_options(int argc, char** argv, const Defaults& defaults);

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "options.inl"
#endif
