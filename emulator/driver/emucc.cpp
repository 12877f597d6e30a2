/// \file
/// emucc: compiles CUDA C++ for the emulator, with nvcc's command line.
///
///     emucc vectors.cu -o vectors
///     emucc --run vectors.cu 1000
///
/// Each .cu goes through emulator-compile, every other source to g++; the linker adds the runtime.

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "build.hpp"
#include "commands.hpp"
#include "headers.hpp"
#include "parts.hpp"
#include "processes/child.hpp"
#include "processes/signal_watch.hpp"
#include "processes/temporary_folder.hpp"
#include "request.hpp"

namespace emucc {
namespace {

void remove_file(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) unlink(path.c_str());
}

// Runs the commands; returns the exit status of the first that fails.
int carry_out(const Request& request, const Plan& plan, const processes::SignalWatch& watch) {
  for (const Step& step : plan.steps) {
    if (request.show) std::fprintf(stderr, "%s\n", as_line(step.command).c_str());
    if (request.dry) continue;
    std::string explanation;
    const auto explain = [&](std::string_view line) {
      if (explanation.empty()) explanation = explain_error(std::string(line));
    };
    const int status = run(step.command, explain).status();
    if (!explanation.empty()) std::fprintf(stderr, "emucc: %s\n", explanation.c_str());
    if (status != 0 || watch.received() != 0) {
      remove_file(step.makes);
      return status != 0 ? status : 1;
    }
  }
  return 0;
}

int run_program(const Request& request, const Plan& plan) {
  Arguments command = {plan.program};
  command.insert(command.end(), request.program_arguments.begin(), request.program_arguments.end());
  if (request.show) std::fprintf(stderr, "%s\n", as_line(command).c_str());
  if (request.dry) return 0;
  processes::Child program(processes::start(command));
  processes::pass_signals_on(program);
  const processes::Ending ending = program.wait();
  return ending.signal != 0 ? -ending.signal : ending.code;
}

std::filesystem::path place_for_temporary_files() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : place;
}

// The exit status, or a signal with a minus, by which to end.
int work(const Arguments& arguments) {
  const Request request = read_request(arguments);
  if (request.help) {
    std::fputs(help_text().c_str(), stdout);
    return 0;
  }
  const Parts parts = find_parts();
  if (request.version) {
    std::printf("emucc %s, with %s\n", parts.version.c_str(), parts.compiler.c_str());
    return 0;
  }
  const processes::SignalWatch watch{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  const processes::TemporaryFolder folder(place_for_temporary_files(), "emucc");
  const Plan plan = make_plan(request, parts, folder.path().string());
  int status = carry_out(request, plan, watch);
  if (watch.received() != 0) return -watch.received();
  if (status == 0 && request.run) status = run_program(request, plan);
  return status;
}

}  // namespace
}  // namespace emucc

int main(int argc, char** argv) {
  int status = 1;
  try {
    status = emucc::work({argv + 1, argv + argc});
  } catch (const emucc::UsageError& error) {
    std::fprintf(stderr, "emucc: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emucc: %s\n", error.what());
    return 1;
  }
  if (status < 0) processes::die_by(-status);
  return status;
}
