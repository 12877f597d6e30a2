/// \file
/// emucc: compiles CUDA C++ for the emulator, with nvcc's command line.
///
///     emucc vectors.cu -o vectors
///     emucc --run vectors.cu 1000
///
/// Each .cu goes through emulator-compile, every other source to g++; the linker adds the runtime.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "compiler/nvcc/build.hpp"
#include "compiler/nvcc/commands.hpp"
#include "compiler/nvcc/compiler.hpp"
#include "compiler/nvcc/error_explanations.hpp"
#include "compiler/nvcc/parts.hpp"
#include "compiler/nvcc/request.hpp"
#include "compiler/ptx/code.hpp"
#include "processes/child.hpp"
#include "processes/signal_watch.hpp"
#include "processes/temporary_folder.hpp"

namespace emulator::compiler::nvcc {
namespace {

void remove_file(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) unlink(path.c_str());
}

constexpr std::size_t most_explanations = 10;

// Runs the commands; returns the exit status of the first that fails.
int run_plan(const Request& request, const Plan& plan, const processes::SignalWatch& watch) {
  for (const Step& step : plan.steps) {
    if (request.show) std::fprintf(stderr, "%s\n", shell_line(step.command).c_str());
    if (request.dry) continue;
    std::vector<std::string> explanations;
    const auto explain = [&](std::string_view line) {
      std::string explanation = explain_error(std::string(line), request.cuda);
      if (explanation.empty() || explanations.size() == most_explanations) return;
      if (std::find(explanations.begin(), explanations.end(), explanation) == explanations.end()) {
        explanations.push_back(std::move(explanation));
      }
    };
    const int status = run(step.command, explain).status();
    for (const std::string& explanation : explanations) {
      std::fprintf(stderr, "emucc: %s\n", explanation.c_str());
    }
    if (status != 0 || watch.received() != 0) {
      remove_file(step.makes);
      return status != 0 ? status : 1;
    }
  }
  return 0;
}

// With --run all words after the source are the program's, even a library.
void explain_libraries_of_the_program(const Request& request) {
  for (const std::string& word : request.program_arguments) {
    if (!word.starts_with("-l")) continue;
    std::fprintf(stderr,
                 "emucc: %s went to the program: with --run it has to come before the source\n",
                 word.c_str());
    return;
  }
}

int run_program(const Request& request, const Plan& plan) {
  Arguments command = {plan.program};
  command.insert(command.end(), request.program_arguments.begin(), request.program_arguments.end());
  if (request.show) std::fprintf(stderr, "%s\n", shell_line(command).c_str());
  if (request.dry) return 0;
  if (request.check) setenv("EMULATOR_CHECK", "1", 1);
  processes::Child program(processes::start(command));
  processes::pass_signals_on(program);
  const processes::ExitStatus ending = program.wait();
  // For a person, who may not know: what was run has looked for nothing.
  if (!request.look && isatty(STDERR_FILENO) == 1) {
    std::fprintf(stderr, "emucc: nothing was checked; --run --check looks for mistakes\n");
  }
  return ending.signal != 0 ? -ending.signal : ending.code;
}

std::filesystem::path place_for_temporary_files() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : place;
}

// What nvcc says first where it shows its commands. Build systems look for these words, CMake with
// a source that is not there.
void show_environment(const Parts& parts) {
  const char* const path = std::getenv("PATH");
  std::fprintf(stderr, "#$ TOP=%s\n", parts.toolkit.c_str());
  std::fprintf(stderr, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", parts.toolkit.c_str());
  std::fprintf(stderr, "#$ PATH=%s\n", path == nullptr ? "" : path);
  std::fprintf(stderr, "#$ INCLUDES=%s\n", shell_line({"-I" + parts.toolkit + "/include"}).c_str());
  std::fprintf(stderr, "#$ LIBRARIES=%s\n", shell_line({"-L" + parts.toolkit + "/lib64"}).c_str());
  std::fprintf(stderr, "#$ DEFAULT_ARCHITECTURE=-arch compute_75\n");
}

void show_version(const Request& request, const Parts& parts) {
  const std::string commit = parts.commit.empty() ? "" : ", commit " + parts.commit;
  std::printf("emucc %s%s, built with %s\n", parts.version.c_str(), commit.c_str(),
              parts.built_with.c_str());
  // What build systems look for: the compiler whose command line this is.
  const std::string release = cuda_release(request.cuda);
  std::printf("in place of nvcc: NVIDIA (R) Cuda compiler driver, release %s, V%s.0\n",
              release.c_str(), release.c_str());
  try {
    const std::string compiler = find_compiler(request, parts);
    std::printf("compiles with %s, version %s\n", compiler.c_str(),
                compiler_version(compiler).c_str());
  } catch (const UsageError& error) {
    std::printf("cannot compile: %s\n", error.what());
  }
  for (const std::string& what : parts.without) std::printf("without %s\n", what.c_str());
}

// The exit status, or a signal with a minus, by which to end.
int run_command_line(const Arguments& arguments) {
  if (wants_commands(arguments)) show_environment(find_parts());
  const Request request = read_request(arguments);
  if (request.help) {
    std::fputs(help_text().c_str(), stdout);
    std::printf("\nIn gdb (emucc -g): gdb -x %s --args PROGRAM ARGUMENT...\n",
                shell_line({find_parts().gdb}).c_str());
    return 0;
  }
  if (!request.list_architectures.empty()) {
    // Those that nvcc 13 has.
    for (const int number : {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}) {
      std::printf("%s%d\n", request.list_architectures.c_str(), number);
    }
    return 0;
  }
  if (request.list_ptx) {
    std::fputs(ptx::instruction_list().c_str(), stdout);
    return 0;
  }
  const Parts parts = find_parts();
  if (request.version) {
    // The second line is what build systems look for: the compiler whose command line this is.
    show_version(request, parts);
    return 0;
  }
  const processes::SignalWatch watch{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  const processes::TemporaryFolder folder(place_for_temporary_files(), "emucc");
  const Plan plan = make_plan(request, parts, folder.path().string());
  const int status = run_plan(request, plan, watch);
  if (watch.received() != 0) return -watch.received();
  if (!request.run) return status;
  if (status == 0) return run_program(request, plan);
  explain_libraries_of_the_program(request);
  return status;
}

}  // namespace
}  // namespace emulator::compiler::nvcc

int main(int argc, char** argv) {
  int status = 1;
  try {
    status = emulator::compiler::nvcc::run_command_line({argv + 1, argv + argc});
  } catch (const emulator::compiler::nvcc::UsageError& error) {
    std::fprintf(stderr, "emucc: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emucc: %s\n", error.what());
    return 1;
  }
  if (status < 0) processes::die_by(-status);
  return status;
}
