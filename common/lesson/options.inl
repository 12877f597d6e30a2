// The functions of options.hpp.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "console/terminal.hpp"
#include "options.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/traffic.h"
#endif

namespace course {

COURSE_ONCE UsageError::UsageError(std::string text)
    : std::runtime_error([&] {
        // It quotes the user's input, which may contain line breaks.
        std::replace_if(
            text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, '?');
        return text;
      }()) {}

namespace detail {

COURSE_ONCE Option number_option(const std::string& name, std::uint64_t smallest,
                                 std::uint64_t largest, const std::string& help,
                                 std::function<void(std::uint64_t)> set) {
  const auto take = [=](const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end) return false;
    if (number < smallest || number > largest) return false;
    set(number);
    return true;
  };
  return {name, "N",
          "a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest),
          help, take};
}

/// An option that sets *path to the name of a file to write.
COURSE_ONCE Option file_option(const std::string& name, std::string* path,
                               const std::string& help) {
  return {name, "FILE", "a file name", help, [=](const std::string& text) {
            *path = text;
            return !text.empty();
          }};
}

/// The options of an empty command line.
COURSE_ONCE Options default_options(const Defaults& defaults) {
  const Defaults::Shape shape = defaults.emulator ? defaults.on_emulator : defaults.on_gpu;
  Options options;
  options.program = defaults.program;
  options.rows = shape.rows;
  options.cols = defaults.matrix ? shape.cols : 1;
  options.inner = defaults.product ? shape.inner : 0;
  return options;
}

/// The options that give the extents.
COURSE_ONCE std::vector<Option> shape_options(const Defaults& defaults, Options& options) {
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

/// The names of some options with text before, between and after them: "--rows N --cols N".
COURSE_ONCE std::string names_of(const std::vector<Option>& table, const char* between,
                                 const char* after) {
  std::string text;
  for (const Option& option : table) text += (text.empty() ? "" : between) + option.name + after;
  return text;
}

/// All options of a program, in the order of the help. They write into `options`.
COURSE_ONCE std::vector<Option> option_table(const Defaults& defaults, Options& options) {
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

COURSE_ONCE void require_writable(const std::string& option, const std::string& path) {
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

/// The text for --help.
COURSE_ONCE std::string help_text(const Defaults& defaults) {
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
/// @throws UsageError if they are invalid. Then no file has been changed or created.
COURSE_ONCE Options parse_arguments(const std::vector<std::string>& arguments,
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
      // Another option is not a value: `--csv --repeat 5` lacks a file name.
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
  require_writable("--csv", options.csv);
  require_writable("--json", options.json);
  return options;
}

namespace detail {

/// At exit: output that could not be written (the disk is full, the output closed) is a failure.
inline void check_that_all_was_written() {
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!failed) return;
  std::fprintf(stderr, "error: cannot write to standard output: it is full, or closed\n");
  std::_Exit(1);
}

}  // namespace detail

/// Reads main's arguments. Shows the help and exits with 0 if they ask for it; prints one line on
/// stderr and exits with 2 if they are invalid. Arranges the listing that --traffic asks for.
COURSE_ONCE Options parse_options(int argc, char** argv, const Defaults& defaults) {
  [[maybe_unused]] static const int once = std::atexit(detail::check_that_all_was_written);
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const Options options = parse_arguments(arguments, defaults);
    if (!options.help) {
#ifdef CUDA_EMULATOR
      if (options.traffic) emulator::print_listing_at_exit();
#endif
      return options;
    }
    std::fputs(wrapped(help_text(defaults), line_width(), 16).c_str(), stdout);
    std::exit(0);
  } catch (const UsageError& error) {
    const std::string text = defaults.program + ": " + error.what() + " (see --help)\n";
    std::fputs(wrapped(text, line_width(2), 2).c_str(), stderr);
    std::exit(2);
  }
}

}  // namespace course
