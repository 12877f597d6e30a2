/// \file
/// emulator-compile: a compiler launcher (CMAKE_CXX_COMPILER_LAUNCHER) that lets g++ compile CUDA
/// C++ for the emulator.
///
///     emulator-compile [--emulator-fast] [--] g++ <flags> -o kernel.o -c kernel.cu
///
/// Any command that compiles one C++ source runs in three steps, joined by pipes:
///
/// 1. `g++ -E` with the same flags, and with cuda_runtime.h included first, as nvcc does. A source
///    that asks for `__CUDA_ARCH__` is preprocessed twice (see preprocess/device_pass.hpp);
/// 2. the translator;
/// 3. `g++ -c` with the same flags, and with the instrumentation that the emulator lives on. By way
///    of this program it calls the assembler, for whom gaps between shared variables are widened.
///
/// With --emulator-ask-clang, clang reads the source at the same time, and may refuse it.
///
/// Every other command (link, -E, -M, assembler, ...) runs as it is.

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "compiler/diagnose/clang_check.hpp"
#include "compiler/diagnose/clang_command.hpp"
#include "compiler/diagnose/host_variable_warnings.hpp"
#include "compiler/diagnose/lockstep_warnings.hpp"
#include "compiler/diagnose/plain_messages.hpp"
#include "compiler/diagnose/removed_names.hpp"
#include "compiler/diagnose/toolkit_headers.hpp"
#include "compiler/launcher/shared_variable_guards.hpp"
#include "compiler/preprocess/command.hpp"
#include "compiler/preprocess/core_libraries.hpp"
#include "compiler/preprocess/device_aliases.hpp"
#include "compiler/preprocess/device_pass.hpp"
#include "compiler/preprocess/launcher_error.hpp"
#include "compiler/translate/translate.hpp"
#include "processes/child.hpp"
#include "processes/pipes.hpp"
#include "processes/signal_watch.hpp"

namespace emulator::compiler::launcher {
namespace {

using diagnose::clang_command;
using diagnose::clang_findings;
using diagnose::find_clang;
using diagnose::host_variable_warnings;
using diagnose::lockstep_warnings;
using diagnose::newest_cuda;
using diagnose::normal_path;
using diagnose::removed_name_notes;
using diagnose::simplify_messages;
using diagnose::unmodelled_header_error;
using diagnose::user_files;
using preprocess::Arguments;
using preprocess::base_name;
using preprocess::Compilation;
using preprocess::compile_command;
using preprocess::defines_architecture;
using preprocess::device_only_headers;
using preprocess::expand_response_files;
using preprocess::has_core_libraries;
using preprocess::has_flat_kernels;
using preprocess::is_module;
using preprocess::is_separate;
using preprocess::LauncherError;
using preprocess::mentions_architecture;
using preprocess::merge_device_aliases;
using preprocess::merge_device_bodies;
using preprocess::misses_core_libraries;
using preprocess::Pass;
using preprocess::preprocess_command;
using preprocess::read_command;
using preprocess::remove_barrier_destructor;
using preprocess::remove_unroll_pragmas;
using preprocess::set_tuning_architecture;
using preprocess::unsupported_mark;
using preprocess::weaken_unsupported_marks;
using translate::TranslationError;

constexpr const char* usage =
    "usage: emulator-compile [--emulator-...] [--] g++ <arguments>\n"
    "\n"
    "Runs the g++ command given to it; CUDA C++ in the source is translated on the way.\n"
    "  --emulator-fast   do not instrument memory accesses\n"
    "  --emulator-show    print the translated source instead of compiling it\n"
    "  --emulator-arch=N  what kernels read as __CUDA_ARCH__ (750); 900a: and that they may use\n"
    "                     what only that architecture has\n"
    "  --emulator-cccl=FOLDER  where Thrust, CUB and libcu++ are, for sources that include them\n"
    "  --emulator-ask-clang  if it is installed, refuse what breaks CUDA's rules by its opinion\n";

// clang marks what comes from its command line as <command line>, g++ as <command-line>.
bool is_from_clang(std::string_view preprocessed) {
  constexpr std::size_t enough = 1000;
  return preprocessed.substr(0, enough).find("\"<command line>\"") != std::string_view::npos;
}

LauncherError not_gcc(const std::string& compiler) {
  return LauncherError("'" + compiler + "' is clang, the emulator needs g++ 11 or newer");
}

// If the reader stops early, its exit status says why. Programs started after this would also
// ignore the signal; there are none.
void write_to_reader(int file, std::string_view text) {
  std::signal(SIGPIPE, SIG_IGN);
  processes::write_all(file, text);
}

// clang, at work on the source while g++ is.
class ClangProcess {
 public:
  ClangProcess(const Compilation& compilation, std::string_view preprocessed)
      : user_files_(user_files(preprocessed)), is_separate_(is_separate(compilation)) {
    const std::string clang = find_clang();
    if (clang.empty()) return;
    output_ = processes::FileDescriptor(memfd_create("clang", MFD_CLOEXEC));
    if (!output_.is_open()) return;
    try {
      const processes::Start how{.no_input = true,
                                 .out = output_.number(),
                                 .err = output_.number(),
                                 .environment = {{"LC_ALL", "C"}}};
      child_.emplace(processes::start(clang_command(compilation, clang, preprocessed), how));
    } catch (const std::system_error&) {
      // A clang that cannot be started has no opinion.
    }
  }
  ClangProcess(const ClangProcess&) = delete;
  ClangProcess& operator=(const ClangProcess&) = delete;
  ~ClangProcess() {
    if (!child_ || child_->ending()) return;
    kill(child_->id(), SIGTERM);
    child_->wait();
  }

  // Waits for it; the lines to be shown.
  std::vector<std::string> findings() {
    if (!child_) return {};
    const processes::ExitStatus ending = child_->wait();
    if (ending.signal != 0 || ending.code > 1) return {};  // it has failed, not the program
    lseek(output_.number(), 0, SEEK_SET);
    const auto is_user_file = [this](std::string_view file) {
      return std::find(user_files_.begin(), user_files_.end(), normal_path(file)) !=
             user_files_.end();
    };
    return clang_findings(processes::read_all(output_), is_user_file, is_separate_);
  }

 private:
  std::vector<std::string> user_files_;
  bool is_separate_;
  processes::FileDescriptor output_;
  std::optional<processes::Child> child_;
};

// A compiler that runs out of memory does not say whether it wanted much or there was little.
void report_memory() {
  constexpr long much = 1024;
  rusage used{};
  if (getrusage(RUSAGE_CHILDREN, &used) != 0 || used.ru_maxrss / 1024 < much) return;
  std::fprintf(stderr, "emulator-compile: the compiler took %ld MiB of memory\n",
               used.ru_maxrss / 1024);
}

bool has_flag(const Compilation& compilation, std::string_view flag) {
  return std::find(compilation.flags.begin(), compilation.flags.end(), flag) !=
         compilation.flags.end();
}

// The version of CUDA that the source is for, as emulator/version.h is told it.
int cuda_version(const Compilation& compilation) {
  constexpr std::string_view definition = "-DEMULATOR_CUDA=";
  for (const std::string& flag : compilation.flags) {
    if (flag.starts_with(definition)) return std::atoi(flag.c_str() + definition.size());
  }
  return newest_cuda;
}

// What the preprocessor makes of the source for one side. If it misses a header of NVIDIA's core
// libraries, it is told where they are, and asked again: a source that does without is compiled as
// it is where they are not installed.
processes::Output preprocessor_output(Compilation& compilation, Pass pass) {
  const processes::FileDescriptor messages(
      compilation.cccl.empty() ? -1 : memfd_create("messages", MFD_CLOEXEC));
  if (!messages.is_open()) return processes::output_of(preprocess_command(compilation, pass));
  processes::Output output =
      processes::output_of(preprocess_command(compilation, pass), messages.number());
  lseek(messages.number(), 0, SEEK_SET);
  const std::string said = processes::read_all(messages);
  if (output.ending.status() != 0 && misses_core_libraries(said)) {
    compilation.adds_cccl = true;
    return processes::output_of(preprocess_command(compilation, pass));
  }
  processes::write_all(STDERR_FILENO, said);
  return output;
}

int compile(Compilation& compilation, bool show, bool ask_clang,
            const processes::SignalWatch& watch) {
  if (base_name(compilation.compiler).find("clang") != std::string::npos) {
    throw not_gcc(compilation.compiler);
  }
  auto [preprocessed, ending] = preprocessor_output(compilation, Pass::host);
  if (is_from_clang(preprocessed)) throw not_gcc(compilation.compiler);
  if (ending.status() != 0) return ending.status();
  if (const std::string message = unmodelled_header_error(preprocessed); !message.empty()) {
    throw TranslationError(message);
  }
  compilation.has_cccl = has_core_libraries(preprocessed);
  std::optional<ClangProcess> clang;
  // Of these headers clang has opinions of its own.
  if (ask_clang && !show && !compilation.has_cccl) clang.emplace(compilation, preprocessed);
  if (mentions_architecture(preprocessed) && !defines_architecture(compilation)) {
    const processes::Output device = preprocessor_output(compilation, Pass::device);
    if (device.ending.status() != 0) return device.ending.status();
    compilation.device_headers = device_only_headers(preprocessed, device.text);
    if (!compilation.device_headers.empty()) {
      processes::Output host = preprocessor_output(compilation, Pass::host);
      if (host.ending.status() != 0) return host.ending.status();
      preprocessed = std::move(host.text);
      compilation.has_cccl = has_core_libraries(preprocessed);
    }
    preprocessed =
        merge_device_bodies(merge_device_aliases(preprocessed, device.text), device.text);
  } else if (compilation.has_cccl && preprocessed.find(unsupported_mark) != std::string::npos) {
    const processes::Output device = preprocessor_output(compilation, Pass::device);
    if (device.ending.status() != 0) return device.ending.status();
    preprocessed = merge_device_bodies(preprocessed, device.text, unsupported_mark);
  }

  if (compilation.has_cccl) {
    remove_unroll_pragmas(preprocessed);
    remove_barrier_destructor(preprocessed);
    const int architecture = std::atoi(compilation.architecture.c_str());
    set_tuning_architecture(preprocessed, architecture);
    weaken_unsupported_marks(preprocessed, architecture);
  }
  const std::string translated = translate::translate(
      preprocessed,
      {has_flat_kernels(compilation), is_separate(compilation), is_module(compilation)});
  if (show) {
    write_to_reader(STDOUT_FILENO, translated);
    return 0;
  }
  if (watch.received() != 0) return 1;

  // What it says is kept until it has ended: a pipe could fill while we write to it.
  const processes::FileDescriptor messages(memfd_create("messages", MFD_CLOEXEC));
  processes::Pipe to_compiler;
  processes::Child compiler(processes::start(
      compile_command(compilation),
      {.in = to_compiler.read.number(), .err = messages.is_open() ? messages.number() : -1}));
  processes::pass_signals_on(compiler);
  to_compiler.read.close();
  write_to_reader(to_compiler.write.number(), translated);
  to_compiler.write.close();
  const int status = compiler.wait().status();
  if (messages.is_open()) {
    lseek(messages.number(), 0, SEEK_SET);
    processes::write_all(STDERR_FILENO, simplify_messages(processes::read_all(messages)));
  }
  if (status != 0 || watch.received() != 0) return status;
  if (!has_flag(compilation, "-w") && !has_flag(compilation, "-DEMULATOR_LOCKSTEP")) {
    for (const std::string& line : lockstep_warnings(preprocessed)) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }
  if (!has_flag(compilation, "-w")) {
    for (const std::string& line : host_variable_warnings(preprocessed)) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }
  if (const int version = cuda_version(compilation);
      version < newest_cuda && !has_flag(compilation, "-w")) {
    for (const std::string& line : removed_name_notes(preprocessed, version)) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }
  if (!clang) return status;
  const std::vector<std::string> refusals = clang->findings();
  for (const std::string& line : refusals) std::fprintf(stderr, "%s\n", line.c_str());
  return refusals.empty() ? 0 : 1;
}

// An object of an earlier run must not pass for this one's.
void remove_object(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) unlink(path.c_str());
}

int run(const Arguments& arguments) {
  constexpr std::string_view architecture = "--emulator-arch=";
  constexpr std::string_view core_libraries = "--emulator-cccl=";
  bool instrument = true;
  bool show = false;
  bool ask_clang = false;
  std::string wanted;
  bool all_features = false;
  std::string cccl;
  std::size_t first = 0;
  for (; first < arguments.size() && arguments[first].starts_with("-"); ++first) {
    if (arguments[first] == "--emulator-fast") {
      instrument = false;
    } else if (arguments[first] == "--emulator-show") {
      show = true;
    } else if (arguments[first] == "--emulator-ask-clang") {
      ask_clang = true;
    } else if (arguments[first].starts_with(core_libraries)) {
      cccl = arguments[first].substr(core_libraries.size());
    } else if (arguments[first].starts_with(architecture)) {
      wanted = arguments[first].substr(architecture.size());
      all_features = wanted.ends_with('a');
      if (all_features) wanted.pop_back();
      if (wanted.empty() || wanted.find_first_not_of("0123456789") != std::string::npos) {
        throw LauncherError("'" + arguments[first] + "': want a number such as 750, or 900a", 2);
      }
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
  std::optional<Compilation> compilation = read_command(expand_response_files(command));
  if (!compilation) processes::become(command);
  compilation->instrument = instrument;
  if (!wanted.empty()) compilation->architecture = wanted;
  compilation->all_features = all_features;
  compilation->cccl = cccl;

  // Signals that end a build. We outlive them for as long as it takes to clean up.
  const processes::SignalWatch watch{SIGHUP, SIGINT, SIGTERM};
  int status = 1;
  try {
    status = compile(*compilation, show, ask_clang, watch);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "emulator-compile: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (status != 0 && watch.received() == 0) report_memory();
  if ((status != 0 || watch.received() != 0) && !show) remove_object(compilation->object);
  if (watch.received() != 0) processes::die_by(watch.received());
  return status;
}

}  // namespace
}  // namespace emulator::compiler::launcher

int main(int argc, char** argv) {
  try {
    if (argc > 2 && argv[1] == emulator::compiler::preprocess::step_option) {
      emulator::compiler::launcher::add_guards_to_input(argv + 2);
      processes::become({argv + 2, argv + argc});
    }
    return emulator::compiler::launcher::run({argv + 1, argv + argc});
  } catch (const emulator::compiler::preprocess::LauncherError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emulator-compile: %s\n", error.what());
    return 1;
  }
}
