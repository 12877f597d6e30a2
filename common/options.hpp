/// @file
/// The command line of a chapter's program.
///
///     course::Defaults defaults;
///     defaults.program = "01_global";
///     defaults.description = "y = A x with one thread a row and A row by row in memory.";
///     int block = 128;
///     defaults.add("--block", &block, 1, 1024, "threads in a block");
///     const course::Options options = course::parse_options(argc, argv, defaults);
///
/// A value is written `--rows 5` or `--rows=5`, and an option is given at most once. A command line
/// that cannot be obeyed gets one line on stderr and exit status 2.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "data.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/traffic.h"
#endif

namespace course {

/// What the command line says.
struct Options {
  std::string program;
  std::size_t rows = 1;  ///< of the matrix; the number of elements where there is only a vector
  std::size_t cols = 1;  ///< of the matrix; 1 where there is only a vector
  /// k of a product of matrices, C = A B with C of rows x cols and A of rows x inner; 0 elsewhere.
  std::size_t inner = 0;
  int repeat = 20;  ///< timed launches of each kernel; the emulator makes one
  Data data = Data::ladder;
  std::uint64_t seed = 1;  ///< of exact and random data
  std::string csv;         ///< file for the results, or empty
  std::string json;        ///< file for the results, or empty
  bool traffic = false;    ///< list the kernels' memory traffic line by line at the end
  bool help = false;       ///< help was asked for, and nothing else looked at
};

/// A command line that cannot be obeyed. what() is one line, without the program's name.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& text) : std::runtime_error(one_line(text)) {}

 private:
  /// The text quotes what was typed, which may hold line breaks.
  static std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, '?');
    return text;
  }
};

/// One option: how it is written, what the help says, and what it does.
struct Option {
  std::string name;                              ///< "--rows"
  std::string value;                             ///< "N"; empty for a flag
  std::string wants;                             ///< which values are good, as a phrase
  std::string help;                              ///< one line
  std::function<bool(const std::string&)> take;  ///< acts on the value; false if it is not good
};

namespace detail {

/// The bytes of a square matrix of this extent fit in 64 bits, and the threads of a grid that is
/// rounded up to whole blocks can be numbered with an int.
inline constexpr std::uint64_t largest_extent = (1u << 31) - 1024;
static_assert(sizeof(std::size_t) == 8, "sizes are computed in 64 bits");

/// An option that sets *variable to a whole decimal number; nothing else may stand in the value,
/// not even a sign. What *variable holds now is the default.
template <class Integer>
Option number_option(const std::string& name, Integer* variable, std::uint64_t smallest,
                     std::uint64_t largest, const std::string& help) {
  const auto take = [=](const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end) return false;
    if (number < smallest || number > largest) return false;
    *variable = static_cast<Integer>(number);
    return true;
  };
  return {name, "N",
          "a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest),
          help + " (default " + std::to_string(*variable) + ")", take};
}

/// An option that sets *path to the name of a file to write.
inline Option file_option(const std::string& name, std::string* path, const std::string& help) {
  return {name, "FILE", "a file name", help, [=](const std::string& text) {
            *path = text;
            return !text.empty();
          }};
}

/// Throws unless the file can be written. Leaves its contents alone, and no new file behind.
inline void require_writable(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
  std::FILE* const file = std::fopen(path.c_str(), "a");
  if (file == nullptr) {
    throw UsageError(option + " cannot write '" + path + "': " + std::strerror(errno));
  }
  std::fclose(file);
  if (is_new) std::filesystem::remove(path, ignored);
}

}  // namespace detail

/// What a chapter brings to its command line.
struct Defaults {
  struct Shape {
    std::size_t rows;
    std::size_t cols;
    std::size_t inner = 0;
  };

  std::string program;              ///< as messages name it, "01_global"
  std::string description;          ///< for --help: lines of at most 80 characters
  Shape on_gpu{16384, 16384};       ///< default shape on a GPU
  Shape on_emulator{2048, 2048};    ///< default shape on the emulator
  bool emulator = false;            ///< which of the two holds
  bool matrix = true;               ///< --rows, --cols and --size; if false, --size alone
  bool product = false;             ///< of matrices, C = A B: --m, --n, --k and --size
  bool choose_data = true;          ///< whether there is a --data
  std::vector<Option> own_options;  ///< the chapter's own; see add()

  /// Adds an option that sets *variable to a whole number. What it holds now is the default.
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

namespace detail {

/// What holds if the command line is empty.
inline Options default_options(const Defaults& defaults) {
  const Defaults::Shape shape = defaults.emulator ? defaults.on_emulator : defaults.on_gpu;
  Options options;
  options.program = defaults.program;
  options.rows = shape.rows;
  options.cols = defaults.matrix ? shape.cols : 1;
  options.inner = defaults.product ? shape.inner : 0;
  return options;
}

/// The options that give the extents.
inline std::vector<Option> shape_options(const Defaults& defaults, Options& options) {
  const auto extent = [](const char* name, std::size_t* variable, const char* help) {
    return number_option(name, variable, 1, largest_extent, help);
  };
  if (defaults.product) {
    return {extent("--m", &options.rows, "rows of A and of C"),
            extent("--n", &options.cols, "columns of B and of C"),
            extent("--k", &options.inner, "columns of A, rows of B")};
  }
  if (defaults.matrix) {
    return {extent("--rows", &options.rows, "rows of the matrix"),
            extent("--cols", &options.cols, "columns of the matrix")};
  }
  return {};
}

/// The names of some options with something before, between and after them: "--rows N --cols N".
inline std::string names_of(const std::vector<Option>& table, const char* between,
                            const char* after) {
  std::string text;
  for (const Option& option : table) text += (text.empty() ? "" : between) + option.name + after;
  return text;
}

/// All options of a program, in the order of the help. They write into `options`.
inline std::vector<Option> option_table(const Defaults& defaults, Options& options) {
  std::vector<Option> table = shape_options(defaults, options);
  Option size = number_option("--size", &options.rows, 1, largest_extent, "number of elements");
  if (!table.empty()) size.help = "stands for " + names_of(table, " ", " N");
  table.push_back(size);
  if (defaults.choose_data) {
    table.push_back({"--data", "KIND", "ladder or random", "ladder or random (default ladder)",
                     [&options](const std::string& text) {
                       options.data = text == "random" ? Data::random : Data::ladder;
                       return text == "random" || text == "ladder";
                     }});
  }
  table.push_back(number_option("--seed", &options.seed, 0, UINT64_MAX, "chooses random numbers"));
  table.push_back(number_option("--repeat", &options.repeat, 1, 100000,
                                "timed launches; the emulator makes one"));
  table.insert(table.end(), defaults.own_options.begin(), defaults.own_options.end());
  table.push_back({"--traffic", "", "",
                   "on the emulator: end with the traffic of each line of a kernel",
                   [&options](const std::string&) { return options.traffic = true; }});
  table.push_back(file_option("--csv", &options.csv, "also write the results to a CSV file"));
  table.push_back(file_option("--json", &options.json, "also write the results to a JSON file"));
  return table;
}

}  // namespace detail

/// The text for --help.
inline std::string help_text(const Defaults& defaults) {
  Options options = detail::default_options(defaults);
  std::string text = "usage: " + defaults.program + " [options]\n\n" + defaults.description +
                     "\n\noptions (N is a whole number):\n";
  for (const Option& option : detail::option_table(defaults, options)) {
    std::string left = "  " + option.name + " " + option.value;
    left.resize(std::max(left.size() + 1, std::size_t{16}), ' ');
    text += left + option.help + "\n";
  }
  return text +
         "  --help        show this text\n\n"
         "exit status:\n"
         "  0   every result was verified\n"
         "  1   a result was wrong, or a CUDA call failed\n"
         "  2   the command line cannot be obeyed\n"
         "  77  skipped: this machine lacks what the program needs\n\n"
         "example:\n  " +
         defaults.program +
         (defaults.product  ? " --m 1000 --n 500 --k 2000"
          : defaults.matrix ? " --rows 1000 --cols 3000"
                            : " --size 1000000") +
         " --json results.json\n";
}

/// Reads the arguments after the program's name.
/// @throws UsageError if they cannot be obeyed. No file has been changed then, nor made.
inline Options parse_arguments(const std::vector<std::string>& arguments,
                               const Defaults& defaults) {
  Options options = detail::default_options(defaults);
  options.help = std::count(arguments.begin(), arguments.end(), "--help") > 0;
  if (options.help) return options;

  const std::vector<Option> table = detail::option_table(defaults, options);
  std::set<std::string> given;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::size_t equals = arguments[k].find('=');
    const std::string name = arguments[k].substr(0, equals);
    const auto option = std::find_if(table.begin(), table.end(),
                                     [&](const Option& known) { return known.name == name; });
    if (option == table.end()) throw UsageError("unknown option '" + name + "'");
    if (!given.insert(name).second) throw UsageError(name + " is given twice");

    const bool is_flag = option->value.empty();
    std::string value;
    if (equals != std::string::npos) {
      if (is_flag) throw UsageError(name + " takes no value");
      value = arguments[k].substr(equals + 1);
    } else if (!is_flag) {
      // Another option is no value: `--csv --repeat 5` lacks a file name.
      if (k + 1 == arguments.size() || arguments[k + 1].starts_with("--")) {
        throw UsageError(name + " wants " + option->wants + ", got nothing");
      }
      value = arguments[++k];
    }
    if (!option->take(value)) {
      throw UsageError(name + " wants " + option->wants + ", got '" + value + "'");
    }
  }

  if (options.traffic && !defaults.emulator) {
    throw UsageError("--traffic wants the emulator, which counts; this program runs on a GPU");
  }
  const std::vector<Option> extents = detail::shape_options(defaults, options);
  if (!extents.empty() && given.contains("--size")) {
    for (const Option& extent : extents) {
      if (given.contains(extent.name)) {
        throw UsageError("--size stands for " + detail::names_of(extents, " and ", "") +
                         " and cannot go with them");
      }
    }
    options.cols = options.rows;
    if (defaults.product) options.inner = options.rows;
  }
  if (!options.csv.empty() && options.csv == options.json) {
    throw UsageError("--csv and --json name the same file '" + options.csv + "'");
  }
  detail::require_writable("--csv", options.csv);
  detail::require_writable("--json", options.json);
  return options;
}

/// Reads main's arguments. Shows the help and exits with 0 if they ask for it; prints one line on
/// stderr and exits with 2 if they cannot be obeyed. Sees to the listing that --traffic asks for.
inline Options parse_options(int argc, char** argv, const Defaults& defaults) {
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const Options options = parse_arguments(arguments, defaults);
    if (!options.help) {
#ifdef CUDA_EMULATOR
      if (options.traffic) emulator::print_listing_at_exit();
#endif
      return options;
    }
    std::fputs(help_text(defaults).c_str(), stdout);
    std::exit(0);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s: %s (see --help)\n", defaults.program.c_str(), error.what());
    std::exit(2);
  }
}

}  // namespace course
