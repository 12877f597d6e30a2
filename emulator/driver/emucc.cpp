/// \file
/// emucc: compiles CUDA C++ for the emulator, with nvcc's command line.
///
///     emucc vectors.cu -o vectors
///     emucc --run vectors.cu 1000
///
/// Each .cu goes through emulator-compile, every other source to g++; the linker adds the runtime.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

#include "build.hpp"
#include "headers.hpp"
#include "parts.hpp"
#include "process.hpp"
#include "request.hpp"

namespace emucc {
namespace {

void remove_file(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) unlink(path.c_str());
}

// Runs the commands; returns the exit status of the first that fails.
int carry_out(const Request& request, const Plan& plan) {
  for (const Step& step : plan.steps) {
    if (request.show) std::fprintf(stderr, "%s\n", as_line(step.command).c_str());
    if (request.dry) continue;
    std::string explanation;
    const Ending ending = run(step.command, [&](const std::string& line) {
      if (explanation.empty()) explanation = explain_error(line);
    });
    if (!explanation.empty()) std::fprintf(stderr, "emucc: %s\n", explanation.c_str());
    if (ending.status != 0 || received_signal() != 0) {
      remove_file(step.makes);
      return ending.status != 0 ? ending.status : 1;
    }
  }
  return 0;
}

int run_program(const Request& request, const Plan& plan) {
  Arguments command = {plan.program};
  command.insert(command.end(), request.program_arguments.begin(), request.program_arguments.end());
  if (request.show) std::fprintf(stderr, "%s\n", as_line(command).c_str());
  if (request.dry) return 0;
  const Ending ending = run(command, {});
  return ending.signal != 0 ? -ending.signal : ending.status;
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
  catch_signals();
  const TemporaryFolder folder;
  const Plan plan = make_plan(request, parts, folder.path());
  int status = carry_out(request, plan);
  if (received_signal() != 0) return -received_signal();
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
  if (status < 0) emucc::die_by(-status);
  return status;
}
