#include "compiler/preprocess/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <utility>

#include "compiler/preprocess/launcher_error.hpp"
#include "compiler/text/token_text.hpp"

namespace emulator::compiler::preprocess {
namespace {

using text::contains;

// The arguments in a response file, by g++'s rules: white space separates, quotes of either kind
// keep together, a backslash makes the next character an ordinary one.
Arguments split_response(std::string_view text) {
  Arguments result;
  std::string argument;
  bool inside = false;  // of an argument, which may be empty: ""
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      argument += text[++i];
      inside = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        argument += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      if (inside) result.push_back(std::exchange(argument, {}));
      inside = false;
    } else {
      argument += c;
      inside = true;
    }
  }
  if (inside) result.push_back(argument);
  return result;
}

// Whether the value of this option of g++ is the next argument.
bool takes_next(const std::string& option) {
  constexpr std::string_view options =
      " -A -B -D -F -G -I -L -MF -MQ -MT -T -U -Xassembler -Xlinker -Xpreprocessor -aux-info"
      " -dumpbase -dumpbase-ext -dumpdir -e -idirafter -imacros -imultiarch -imultilib -include"
      " -iprefix -iquote -isysroot -isystem -iwithprefix -iwithprefixbefore -l -o -specs -u"
      " -wrapper -x -z --imacros --include --include-directory --output --param --sysroot ";
  return option.find(' ') == std::string::npos &&
         options.find(' ' + option + ' ') != std::string_view::npos;
}

std::string with_suffix(const std::string& path, std::string_view suffix) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  const bool has_suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return path.substr(0, has_suffix ? dot : path.size()).append(suffix);
}

bool is_cxx_source(const std::string& path) {
  constexpr std::array<std::string_view, 8> suffixes = {".C",  ".CPP", ".c++", ".cc",
                                                        ".cp", ".cpp", ".cu",  ".cxx"};
  const std::string name = base_name(path);
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && contains(suffixes, std::string_view(name).substr(dot));
}

// `-fsanitize=thread` defines a macro that changes the standard library's headers, which then call
// the sanitizer's runtime; that one is not there. So the preprocessor must not see the flag.
// Returns the flag without `thread`; nothing if nothing is left.
std::optional<std::string> without_thread_sanitizer(const std::string& flag) {
  constexpr std::string_view prefix = "-fsanitize=";
  if (!flag.starts_with(prefix)) return flag;
  std::string kept;
  for (std::size_t at = prefix.size(); at <= flag.size();) {
    const std::size_t end = std::min(flag.find(',', at), flag.size());
    const std::string name = flag.substr(at, end - at);
    if (name != "thread") kept.append(kept.empty() ? "" : ",").append(name);
    at = end + 1;
  }
  if (kept.empty()) return std::nullopt;
  return std::string(prefix) + kept;
}

// Makes g++ run its commands by way of this program. Nothing if that cannot be done, or if the user
// has such a wish himself: gaps are not worth a failure.
Arguments wrapper_option(const Compilation& compilation) {
  std::array<char, 4096> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0 || static_cast<std::size_t>(size) == path.size()) return {};
  const std::string self(path.data(), static_cast<std::size_t>(size));
  const Arguments& flags = compilation.flags;
  if (std::find(flags.begin(), flags.end(), "-wrapper") != flags.end()) return {};
  if (self.find(',') != std::string::npos) return {};  // it separates arguments there
  return {"-wrapper", self + ',' + std::string(step_option)};
}

Arguments expand(const Arguments& arguments, int depth) {
  constexpr int deepest = 100;
  if (depth > deepest) throw LauncherError("response files that include each other");
  Arguments result;
  for (const std::string& argument : arguments) {
    std::ifstream file;
    if (argument.size() > 1 && argument[0] == '@') file.open(argument.substr(1), std::ios::binary);
    if (!file.is_open()) {
      result.push_back(argument);
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::string& inner : expand(split_response(text), depth + 1)) {
      result.push_back(std::move(inner));
    }
  }
  return result;
}

}  // namespace

Arguments expand_response_files(const Arguments& arguments) {
  return expand(arguments, 0);
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::optional<Compilation> read_command(const Arguments& command) {
  Compilation result;
  result.compiler = command[0];
  bool compiles = false;
  bool writes_dependencies = false;
  bool names_dependency_file = false;
  bool names_dependency_target = false;
  std::string language;
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& argument = command[i];
    const bool separate = takes_next(argument);
    if (separate && i + 1 == command.size()) return std::nullopt;  // g++ knows what to say
    const auto value_of = [&](std::size_t option_size) {
      return separate ? command[++i] : argument.substr(option_size);
    };
    if (argument == "-" || argument[0] != '-') {
      if (argument.empty() || !result.source.empty()) return std::nullopt;
      result.source = argument;
    } else if (argument == "-c" || argument == "--compile") {
      compiles = true;
    } else if (argument == "-E" || argument == "-S" || argument == "-M" || argument == "-MM") {
      return std::nullopt;
    } else if (argument == "--output") {
      result.object = command[++i];
    } else if (argument.starts_with("-o")) {
      result.object = value_of(2);
    } else if (argument.starts_with("-x")) {
      language = value_of(2);
    } else if (argument.starts_with("-M") || argument.starts_with("-Wp,") ||
               argument == "-Xpreprocessor") {
      writes_dependencies |= argument == "-MD" || argument == "-MMD";
      names_dependency_file |= argument.starts_with("-MF");
      names_dependency_target |= argument.starts_with("-MT") || argument.starts_with("-MQ");
      result.preprocess.push_back(argument);
      if (separate) result.preprocess.push_back(command[++i]);
    } else {
      result.flags.push_back(argument);
      if (separate) result.flags.push_back(command[++i]);
    }
  }
  const bool cxx = language.empty() || language == "none"
                       ? is_cxx_source(result.source)
                       : language == "c++" || language == "cu" || language == "cuda";
  if (!compiles || result.source.empty() || !cxx) return std::nullopt;
  if (result.object.empty()) result.object = with_suffix(base_name(result.source), ".o");
  // g++ would derive these from -o, which the preprocessor is not given.
  if (writes_dependencies && !names_dependency_file) {
    result.preprocess.insert(result.preprocess.end(), {"-MF", with_suffix(result.object, ".d")});
  }
  if (writes_dependencies && !names_dependency_target) {
    result.preprocess.insert(result.preprocess.end(), {"-MQ", result.object});
  }
  return result;
}

bool defines_architecture(const Compilation& compilation) {
  return std::any_of(
      compilation.flags.begin(), compilation.flags.end(),
      [](const std::string& flag) { return flag.find("__CUDA_ARCH__") != std::string::npos; });
}

static bool has(const Compilation& compilation, const char* flag) {
  return std::find(compilation.flags.begin(), compilation.flags.end(), flag) !=
         compilation.flags.end();
}

bool has_flat_kernels(const Compilation& compilation) {
  return has(compilation, "-DEMULATOR_FLAT_KERNELS");
}

bool is_separate(const Compilation& compilation) {
  return has(compilation, "-D__CUDACC_RDC__");
}

bool is_module(const Compilation& compilation) {
  return has(compilation, "-DEMULATOR_MODULE");
}

Arguments preprocess_command(const Compilation& compilation, Pass pass) {
  // The macro keeps words in the text that only the translator understands (see qualifiers.h).
  Arguments result = {compilation.compiler, "-DEMULATOR_TRANSLATOR", "-include", "cuda_runtime.h"};
  if (!compilation.instrument) result.emplace_back("-DEMULATOR_FAST");
  result.push_back("-D__CUDA_ARCH_LIST__=" + compilation.architecture);  // nvcc's, for both sides
  for (const std::string& flag : compilation.flags) {
    if (std::optional<std::string> kept = without_thread_sanitizer(flag)) {
      result.push_back(std::move(*kept));
    }
  }
  if (pass == Pass::host) {
    for (const std::string& header : compilation.device_headers) {
      result.insert(result.end(), {"-include", header});
    }
    result.insert(result.end(), compilation.preprocess.begin(), compilation.preprocess.end());
  } else {
    // Warnings have been given for the host.
    result.insert(result.end(),
                  {"-w", "-DEMULATOR_DEVICE_PASS", "-D__CUDA_ARCH__=" + compilation.architecture});
    if (compilation.all_features) {  // 900 is SM90
      const std::string name =
          compilation.architecture.substr(0, compilation.architecture.size() - 1);
      result.push_back("-D__CUDA_ARCH_FEAT_SM" + name + "_ALL");
    }
  }
  // Behind the emulator's own headers.
  if (compilation.adds_cccl) {
    result.insert(result.end(), {"-DEMULATOR_CCCL", "-isystem", compilation.cccl});
  }
  result.insert(result.end(), {"-E", "-x", "c++", compilation.source});
  return result;
}

Arguments compile_command(const Compilation& compilation) {
  Arguments result = {compilation.compiler};
  const Arguments wrapper = wrapper_option(compilation);
  for (const std::string& flag : compilation.flags) {
    // With pipes g++ would not run the assembler by way of the wrapper.
    if (wrapper.empty() || flag != "-pipe") result.push_back(flag);
  }
  result.insert(result.end(), wrapper.begin(), wrapper.end());
  // CUB's classes have members that are named as their types are, which g++ takes for an error.
  if (compilation.has_cccl) result.emplace_back("-fpermissive");
  // A thread's stack has a guard below it, which local arrays must not reach over.
  result.emplace_back("-fstack-clash-protection");
  if (compilation.instrument) {
    // Accesses become calls, those to volatile objects calls of their own, since they may be polls;
    // so does the start of each block of code. Blocks stay in the order of the source, each once:
    // a warp whose lanes part meets again at the place that is after all its branches.
    // No loop becomes a call of memset(), which would not be seen.
    // Functions are inlined, as nvcc does: a float4 that goes from memory into a call would not be
    // reported. A pointer that is not aligned as its type is is also reported, since the members
    // that it leads to may well be; and so does a shift by as many bits as there are. With
    // statement frontiers g++ 12 leaves templates without lines at which a debugger could stop.
    result.insert(
        result.end(),
        {"-gno-statement-frontiers", "-fsanitize=thread", "-fsanitize=alignment,shift-exponent",
         "-fsanitize-recover=alignment,shift-exponent", "--param=tsan-distinguish-volatile=1",
         "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks", "-fno-crossjumping",
         "-fno-tree-loop-distribute-patterns", "-finline-small-functions",
         "--param=early-inlining-insns=500"});
  }
  result.insert(result.end(), {"-c", "-o", compilation.object, "-x", "c++-cpp-output", "-"});
  return result;
}

}  // namespace emulator::compiler::preprocess
