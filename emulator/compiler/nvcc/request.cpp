#include "compiler/nvcc/request.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/nvcc/options.hpp"

namespace emulator::compiler::nvcc {
namespace {

std::string_view suffix_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

std::optional<Language> language_of(std::string_view path, const std::string& forced) {
  if (forced == "cu") return Language::cuda;
  if (forced == "c++") return Language::cxx;
  if (forced == "c") return Language::c;
  const std::string_view suffix = suffix_of(path);
  if (suffix == ".cu") return Language::cuda;
  if (suffix == ".c") return Language::c;
  constexpr std::array<std::string_view, 6> cxx = {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP"};
  if (std::find(cxx.begin(), cxx.end(), suffix) != cxx.end()) return Language::cxx;
  return std::nullopt;
}

bool goes_to_the_linker(std::string_view path) {
  const std::string_view suffix = suffix_of(path);
  return suffix == ".o" || suffix == ".obj" || suffix == ".a" || suffix == ".so" ||
         path.find(".so.") != std::string_view::npos;
}

void add_input(Request& request, const std::string& path) {
  // What a library or object is does not depend on -x.
  if (goes_to_the_linker(path)) {
    request.link.push_back({path});
    return;
  }
  const std::optional<Language> language = language_of(path, request.language);
  if (!language) {
    throw UsageError("'" + path + "': neither a source (.cu .cpp .cc .cxx .c) nor an object or " +
                     "library (.o .a .so)");
  }
  request.link.push_back({path, static_cast<int>(request.sources.size())});
  request.sources.push_back({path, *language});
}

// An option and the value that the argument itself holds, if any.
struct OptionMatch {
  const Option* option = nullptr;
  std::optional<std::string> value;
};

OptionMatch find_option(const std::string& argument) {
  OptionMatch joined;
  const std::size_t equals = argument.find('=');
  const std::string_view before =
      std::string_view(argument).substr(0, std::min(equals, argument.size()));
  for (const Option& option : all_options()) {
    if (argument == option.name || argument == option.long_name) return {&option, {}};
    // -name=value, as nvcc takes it for short names too.
    if (equals != std::string::npos && option.value != ValueForm::none) {
      if (before == option.long_name || (before == option.name && option.name.size() > 2)) {
        return {&option, argument.substr(equals + 1)};
      }
    }
    if (option.value == ValueForm::joined && argument.starts_with(option.name)) {
      std::size_t from = option.name.size();
      if (argument[from] == '=') ++from;
      joined = {&option, argument.substr(from)};
    }
  }
  return joined;
}

bool takes_number_only(const Option& option) {
  return option.name == "-t";
}

bool is_number(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void unknown_option(Request& request, const std::string& argument) {
  if (request.forward_to_linker && !request.forward_unknown) {
    request.link.push_back({argument});
    return;
  }
  if (!request.forward_unknown) {
    throw UsageError("unknown option '" + argument +
                     "' (see --help; for g++'s own, write -Xcompiler " + argument + ")");
  }
  request.host.push_back(argument);
}

// What emucc refuses as its own option would make no better program as one of g++'s.
void check_options_for_linking(const Request& request) {
  for (const std::string& flag : request.host) {
    const OptionMatch match = find_option(flag);
    if (match.option != nullptr && match.option->effect == Effect::refused) {
      throw UsageError(flag + ": " + std::string(match.option->text));
    }
  }
}

void check(const Request& request) {
  if (request.help || request.version || request.list_ptx || !request.list_architectures.empty()) {
    return;
  }
  if (request.sources.empty() && request.link.empty()) {
    throw UsageError("no source given (see --help)");
  }
  if (request.goal == Goal::program) check_options_for_linking(request);
  if (request.check && !request.run) {
    throw UsageError(
        "--check wants --run: a program that was built with --look checks itself with "
        "EMULATOR_CHECK=1 in its environment");
  }
  if (request.run && request.goal != Goal::program) {
    throw UsageError("--run wants a program: not together with -c or -lib");
  }
  if (request.run && !request.output.empty()) {
    throw UsageError("--run keeps no program: not together with -o");
  }
  if (request.goal == Goal::objects) {
    if (request.sources.empty()) throw UsageError("-c: no source given");
    if (!request.output.empty() && request.sources.size() > 1) {
      throw UsageError("-c with -o wants one source, not " +
                       std::to_string(request.sources.size()));
    }
  }
  if (request.shared && request.goal != Goal::device_link) {
    throw UsageError("-shared: the emulator makes programs and static libraries (-lib) only");
  }
  if (request.goal == Goal::dependencies && request.sources.size() != 1) {
    throw UsageError("-M wants one source, not " + std::to_string(request.sources.size()));
  }
  if (request.goal == Goal::module && (request.sources.size() != 1 || request.link.size() != 1)) {
    throw UsageError("-cubin and -fatbin want one source, and nothing else");
  }
  if (request.goal == Goal::library && request.output.empty()) {
    throw UsageError("-lib wants a name: -o libNAME.a");
  }
  for (const Source& source : request.sources) {
    if (source.path == request.output) {
      throw UsageError("-o " + request.output + " would overwrite the source");
    }
  }
}

// What a file of options says, read as a shell reads a command line: CMake writes
// -I"/a folder/include" and -DNAME=\"value\".
Arguments options_of_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("--options-file: cannot read '" + path + "'");
  Arguments result;
  std::string option;
  bool inside = false;  // of an option, which may be empty: ""
  char quote = '\0';
  for (char c; file.get(c);) {
    const bool escapes =
        c == '\\' && quote != '\'' && (quote == '\0' || file.peek() == '"' || file.peek() == '\\');
    if (escapes) {
      if (file.get(c) && c != '\n') option += c;
      inside = inside || c != '\n';
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      inside = true;
    } else if (quote == '\0' && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (inside) result.push_back(option);
      option.clear();
      inside = false;
    } else {
      option += c;
      inside = true;
    }
  }
  if (inside) result.push_back(option);
  return result;
}

// The command line with the contents of its files of options in their places.
Arguments with_files(const Arguments& arguments) {
  Arguments result;
  for (auto at = arguments.begin(); at != arguments.end(); ++at) {
    const std::string name = at->substr(0, at->find('='));
    if (*at == "--") {
      result.insert(result.end(), at, arguments.end());
      break;
    }
    if (name != "-optf" && name != "--options-file") {
      result.push_back(*at);
      continue;
    }
    if (name == *at && at + 1 == arguments.end()) throw UsageError(name + ": its value is missing");
    const std::string path = name == *at ? *++at : at->substr(name.size() + 1);
    for (std::string& option : options_of_file(path)) result.push_back(std::move(option));
  }
  return result;
}

}  // namespace

std::string cuda_release(int cuda) {
  return cuda == 11 ? "11.8" : cuda == 12 ? "12.9" : "13.0";
}

bool wants_commands(const Arguments& arguments) {
  constexpr std::array<std::string_view, 4> words = {"-v", "--verbose", "-dryrun", "--dryrun"};
  return std::find_first_of(arguments.begin(), arguments.end(), words.begin(), words.end()) !=
         arguments.end();
}

Request read_request(const Arguments& command_line) {
  Request request;
  const Arguments arguments = with_files(command_line);
  // Everything after `--` is the program's; without it, everything after the first source.
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const bool divided = dashes != arguments.end();
  auto at = arguments.begin();
  for (; at != dashes; ++at) {
    const std::string& argument = *at;
    if (argument.size() < 2 || argument[0] != '-') {
      add_input(request, argument);
      if (request.run && !divided) {
        ++at;
        break;
      }
      continue;
    }
    OptionMatch match = find_option(argument);
    if (match.option != nullptr && match.value && takes_number_only(*match.option) &&
        !is_number(*match.value)) {
      match = {};
    }
    if (match.option == nullptr) {
      unknown_option(request, argument);
      continue;
    }
    const Option& option = *match.option;
    if (option.effect == Effect::refused) {
      throw UsageError(argument + ": " + std::string(option.text));
    }
    if (option.value != ValueForm::none && !match.value) {
      if (at + 1 == dashes) throw UsageError(argument + ": its value is missing");
      match.value = *++at;
    }
    if (option.apply != nullptr) option.apply(request, match.value.value_or(""));
  }
  if (divided) {
    at = dashes + 1;
    if (!request.run) throw UsageError("'--' without --run");
  }
  request.program_arguments = request.run_arguments;
  request.program_arguments.insert(request.program_arguments.end(), at, arguments.end());
  check(request);
  return request;
}

std::string help_text() {
  std::string text =
      "usage: emucc [options] FILE.cu [more.cu more.cpp object.o library.a] [-o PROGRAM]\n"
      "       emucc --run [options] FILE.cu [arguments of the program]\n"
      "       emucc --run [options] FILE.cu more.cu ... -- [arguments of the program]\n"
      "\n"
      "Compiles CUDA C++ for the emulator, in nvcc's manner: no GPU and no CUDA toolkit are "
      "needed.\n"
      "The program runs its kernels on the CPU. With --look it can also show their memory traffic\n"
      "(EMULATOR_TRAFFIC=1 in its environment), look for mistakes (EMULATOR_CHECK=1) and write a\n"
      "report (EMULATOR_REPORT=FILE) or the mistakes as SARIF (EMULATOR_SARIF=FILE); it is then\n"
      "slower. With --look or without, it can write what ran in which stream\n"
      "(EMULATOR_TIMELINE=FILE).\n"
      "\n";
  for (const Option& option : all_options()) {
    if (option.effect != Effect::honoured) continue;
    // The text begins with the value, if there is one, and two spaces.
    const std::size_t gap = option.text.find("  ");
    std::string names(option.name);
    if (has_long_name(option)) names += ", " + std::string(option.long_name);
    if (!option.name.ends_with('=')) names += ' ';
    names += option.text.substr(0, gap);
    text += "  " + names;
    constexpr std::size_t column = 34;
    if (names.size() >= column) {
      text += "\n  " + std::string(column, ' ');
    } else {
      text.append(column - names.size(), ' ');
    }
    text += std::string(option.text.substr(gap + 2)) + '\n';
  }
  text += "\nTaken and without effect:";
  std::size_t width = 100;
  for (const Option& option : all_options()) {
    if (option.effect != Effect::ignored) continue;
    if (width + 1 + option.name.size() > 98) {
      text += "\n ";
      width = 1;
    }
    text += ' ' + std::string(option.name);
    width += 1 + option.name.size();
  }
  text += "\n\nRefused:";
  for (const Option& option : all_options()) {
    if (option.effect == Effect::refused) text += ' ' + std::string(option.name);
  }
  return text + "\n";
}

}  // namespace emulator::compiler::nvcc
