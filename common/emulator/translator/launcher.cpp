/// \file
/// emulator-compile: a compiler launcher (CMAKE_CXX_COMPILER_LAUNCHER) that lets g++ compile CUDA
/// C++ for the emulator.
///
///     emulator-compile [--emulator-plain] [--] g++ <flags> -o kernel.o -c kernel.cu
///
/// Any command that compiles one C++ source runs in three steps, joined by pipes:
///
/// 1. `g++ -E` with the same flags, and with cuda_runtime.h included first, as nvcc does;
/// 2. the translator;
/// 3. `g++ -c` with the same flags, and with the instrumentation that the emulator lives on. By way
///    of this program it calls the assembler, for whom gaps between shared variables are widened.
///
/// Every other command (link, -E, -M, assembler, ...) runs as it is.

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gaps.hpp"
#include "translate.hpp"

namespace emulator {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* usage =
    "usage: emulator-compile [--emulator-plain | --emulator-show] [--] g++ <arguments>\n"
    "\n"
    "Runs the g++ command given to it; CUDA C++ in the source is translated on the way.\n"
    "  --emulator-plain  do not instrument memory accesses\n"
    "  --emulator-show   print the translated source instead of compiling it\n";

/// A failure of the launcher's own, which what() says in a line.
class LauncherError : public std::runtime_error {
 public:
  explicit LauncherError(const std::string& message, int status = 1)
      : std::runtime_error("emulator-compile: " + message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

LauncherError cannot_run(const std::string& program, int error) {
  return LauncherError("cannot run '" + program + "': " + std::strerror(error));
}

// ------------------------------------------------------------------ the command line

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

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

// Replaces each `@file` by the arguments in the file; one that cannot be read stays, as with g++.
Arguments expand_responses(const Arguments& arguments, int depth = 0) {
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
    for (std::string& inner : expand_responses(split_response(text), depth + 1)) {
      result.push_back(std::move(inner));
    }
  }
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

// A command that compiles one C++ source.
struct Compilation {
  std::string compiler;
  Arguments flags;       // what both steps get
  Arguments preprocess;  // what only the preprocessor gets: flags for dependency files
  std::string source;
  std::string object;  // the output
  bool instrument = true;
};

std::string without_folder(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
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
  const std::string name = without_folder(path);
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && contains(suffixes, std::string_view(name).substr(dot));
}

// `-fsanitize=thread` defines a macro that changes the standard library's headers, which then call
// the sanitizer's runtime; that one is not there. So the preprocessor must not see the flag.
// Returns the flag without `thread`; nothing if nothing is left.
std::optional<std::string> without_thread_sanitizer(const std::string& flag) {
  constexpr std::string_view prefix = "-fsanitize=";
  if (!starts_with(flag, prefix)) return flag;
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

// Reads a g++ command; nothing if it does anything but compile one C++ source.
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
    } else if (starts_with(argument, "-o")) {
      result.object = value_of(2);
    } else if (starts_with(argument, "-x")) {
      language = value_of(2);
    } else if (starts_with(argument, "-M") || starts_with(argument, "-Wp,") ||
               argument == "-Xpreprocessor") {
      writes_dependencies |= argument == "-MD" || argument == "-MMD";
      names_dependency_file |= starts_with(argument, "-MF");
      names_dependency_target |= starts_with(argument, "-MT") || starts_with(argument, "-MQ");
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
  if (result.object.empty()) result.object = with_suffix(without_folder(result.source), ".o");
  // g++ would derive these from -o, which the preprocessor is not given.
  if (writes_dependencies && !names_dependency_file) {
    result.preprocess.insert(result.preprocess.end(), {"-MF", with_suffix(result.object, ".d")});
  }
  if (writes_dependencies && !names_dependency_target) {
    result.preprocess.insert(result.preprocess.end(), {"-MQ", result.object});
  }
  return result;
}

Arguments preprocess_command(const Compilation& compilation) {
  // The macro keeps words in the text that only the translator understands (see qualifiers.h).
  Arguments result = {compilation.compiler, "-DEMULATOR_TRANSLATOR", "-include", "cuda_runtime.h"};
  if (!compilation.instrument) result.emplace_back("-DEMULATOR_PLAIN");
  for (const std::string& flag : compilation.flags) {
    if (std::optional<std::string> kept = without_thread_sanitizer(flag)) {
      result.push_back(std::move(*kept));
    }
  }
  result.insert(result.end(), compilation.preprocess.begin(), compilation.preprocess.end());
  result.insert(result.end(), {"-E", "-x", "c++", compilation.source});
  return result;
}

// The word by which g++ calls this program, with a command of its own: its compiler proper or the
// assembler.
constexpr std::string_view step_word = "--emulator-step";

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
  return {"-wrapper", self + ',' + std::string(step_word)};
}

Arguments compile_command(const Compilation& compilation) {
  Arguments result = {compilation.compiler};
  const Arguments wrapper = wrapper_option(compilation);
  for (const std::string& flag : compilation.flags) {
    // With pipes g++ would not run the assembler by way of the wrapper.
    if (wrapper.empty() || flag != "-pipe") result.push_back(flag);
  }
  result.insert(result.end(), wrapper.begin(), wrapper.end());
  if (compilation.instrument) {
    // Accesses become calls, those to volatile objects calls of their own, since they may be polls;
    // so does the start of each block of code. Blocks stay in the order of the source, each once:
    // a warp whose lanes part meets again at the place that stands after all its branches.
    // Functions are inlined, as nvcc does: a float4 that goes from memory into a call would not be
    // reported. A pointer that is not aligned as its type is gets reported, too, since the members
    // that it leads to may well be.
    result.insert(result.end(),
                  {"-fsanitize=thread", "-fsanitize=alignment", "-fsanitize-recover=alignment",
                   "--param=tsan-distinguish-volatile=1", "-fsanitize-coverage=trace-pc",
                   "-fno-reorder-blocks", "-fno-crossjumping", "-finline-small-functions",
                   "--param=early-inlining-insns=500"});
  }
  result.insert(result.end(), {"-c", "-o", compilation.object, "-x", "c++-cpp-output", "-"});
  return result;
}

// clang marks what comes from its command line as <command line>, g++ as <command-line>.
bool is_from_clang(std::string_view preprocessed) {
  constexpr std::size_t enough = 1000;
  return preprocessed.substr(0, enough).find("\"<command line>\"") != std::string_view::npos;
}

LauncherError not_gcc(const std::string& compiler) {
  return LauncherError("'" + compiler + "' is clang, the emulator needs g++ 11 or newer");
}

// ------------------------------------------------------------------ processes

// Signals that end a build. The launcher outlives them for as long as it takes to clean up.
constexpr std::array<int, 3> ending_signals = {SIGHUP, SIGINT, SIGTERM};
volatile sig_atomic_t received_signal = 0;
volatile sig_atomic_t child = 0;

void remember_signal(int signal) {
  received_signal = signal;
  if (child > 0) kill(child, signal);
}

sigset_t signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : ending_signals) sigaddset(&set, signal);
  return set;
}

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = remember_signal;  // without SA_RESTART: a read that waits must return
  action.sa_mask = signal_set();
  for (const int signal : ending_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);  // if g++ stops reading early, its exit status says why
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  int number() const { return number_; }
  void set(int number) { number_ = number; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw LauncherError(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    read.set(ends[0]);
    write.set(ends[1]);
  }
  FileDescriptor read;
  FileDescriptor write;
};

std::vector<char*> as_argv(Arguments& arguments) {
  std::vector<char*> result;
  for (std::string& argument : arguments) result.push_back(argument.data());
  result.push_back(nullptr);
  return result;
}

// Starts a program with one of its standard streams connected to a pipe.
void start(Arguments arguments, int pipe_end, int stream) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_end, stream);

  // No signal may come between the start of the child and the note of its number.
  const sigset_t endings = signal_set();
  sigset_t mask;
  sigprocmask(SIG_BLOCK, &endings, &mask);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &mask);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes,
                                 as_argv(arguments).data(), environ);
  if (error == 0) child = pid;
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw cannot_run(arguments[0], error);
}

// Waits for the child and returns its exit status, the shell's way if a signal ended it.
int finish() {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int file) {
  std::string result;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const ssize_t size = read(file, buffer.data(), buffer.size());
    if (size > 0) {
      result.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      return result;
    }
  }
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size >= 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return;
    }
  }
}

[[noreturn]] void become(Arguments command) {
  execvp(command[0].c_str(), as_argv(command).data());
  throw cannot_run(command[0], errno);
}

// ------------------------------------------------------------------ the three steps

int compile(const Compilation& compilation, bool show) {
  if (without_folder(compilation.compiler).find("clang") != std::string::npos) {
    throw not_gcc(compilation.compiler);
  }
  Pipe from_preprocessor;
  start(preprocess_command(compilation), from_preprocessor.write.number(), STDOUT_FILENO);
  from_preprocessor.write.close();
  const std::string preprocessed = read_all(from_preprocessor.read.number());
  const int preprocessor_status = finish();
  if (is_from_clang(preprocessed)) throw not_gcc(compilation.compiler);
  if (preprocessor_status != 0) return preprocessor_status;

  const std::string translated = translate(preprocessed);
  if (show) {
    write_all(STDOUT_FILENO, translated);
    return 0;
  }
  if (received_signal != 0) return 1;

  Pipe to_compiler;
  start(compile_command(compilation), to_compiler.read.number(), STDIN_FILENO);
  to_compiler.read.close();
  write_all(to_compiler.write.number(), translated);
  to_compiler.write.close();
  return finish();
}

// An object of an earlier run must not pass for this one's.
void remove_object(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) unlink(path.c_str());
}

int run(const Arguments& arguments) {
  bool instrument = true;
  bool show = false;
  std::size_t first = 0;
  for (; first < arguments.size() && starts_with(arguments[first], "-"); ++first) {
    if (arguments[first] == "--emulator-plain") {
      instrument = false;
    } else if (arguments[first] == "--emulator-show") {
      show = true;
    } else if (arguments[first] == "--help") {
      std::fputs(usage, stdout);
      return 0;
    } else if (arguments[first] == "--") {
      ++first;
      break;
    } else {
      throw LauncherError("unknown option '" + arguments[first] + "' (see --help)", 2);
    }
  }
  if (first == arguments.size()) throw LauncherError("no compiler given (see --help)", 2);

  const Arguments command(arguments.begin() + static_cast<std::ptrdiff_t>(first), arguments.end());
  std::optional<Compilation> compilation = read_command(expand_responses(command));
  if (!compilation) become(command);
  compilation->instrument = instrument;

  catch_signals();
  int status = 1;
  try {
    status = compile(*compilation, show);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if ((status != 0 || received_signal != 0) && !show) remove_object(compilation->object);
  if (received_signal != 0) {
    std::signal(received_signal, SIG_DFL);
    std::raise(received_signal);
  }
  return status;
}

}  // namespace
}  // namespace emulator

int main(int argc, char** argv) {
  try {
    if (argc > 2 && argv[1] == emulator::step_word) {
      emulator::widen_gaps_for(argv + 2);
      emulator::become({argv + 2, argv + argc});
    }
    return emulator::run({argv + 1, argv + argc});
  } catch (const emulator::LauncherError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emulator-compile: %s\n", error.what());
    return 1;
  }
}
