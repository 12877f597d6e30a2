#include "compiler/nvcc/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "processes/child.hpp"

namespace emulator::compiler::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr int oldest = 11;

}  // namespace

std::string compiler_version(const std::string& compiler) {
  try {
    std::string text = processes::output_of({compiler, "-dumpfullversion", "-dumpversion"}).text;
    while (text.ends_with('\n')) text.pop_back();
    return text;
  } catch (const std::system_error&) {
    return "";
  }
}

std::string find_compiler(const Request& request, const Parts& parts) {
  if (request.compiler.empty()) {
    const auto found =
        std::find_if(parts.compilers.begin(), parts.compilers.end(), [](const std::string& name) {
          return std::atoi(compiler_version(name).c_str()) >= oldest;
        });
    if (found != parts.compilers.end()) return *found;
    throw UsageError(
        "no g++ 11 or newer is installed (Debian, Ubuntu: apt install g++); if there is one "
        "elsewhere, name it with -ccbin");
  }
  const std::string compiler =
      fs::is_directory(request.compiler) ? request.compiler + "/g++" : request.compiler;
  const std::string version = compiler_version(compiler);
  if (version.empty()) throw UsageError("-ccbin " + request.compiler + ": cannot be run");
  if (compiler.substr(compiler.rfind('/') + 1).find("clang") != std::string::npos ||
      std::atoi(version.c_str()) < oldest) {
    throw UsageError("-ccbin " + request.compiler + ": the emulator needs g++ 11 or newer");
  }
  return compiler;
}

void check_system_library(const std::string& flag, const std::string& part, const Request& request,
                          const std::string& compiler) {
  const std::string file = flag.substr(std::string_view("-l:").size());
  for (const LinkItem& item : request.link) {
    if (item.text.starts_with("-L") && fs::exists(fs::path(item.text.substr(2)) / file)) return;
  }
  // g++ answers with a path if it finds the file, else with the name alone.
  if (processes::output_of({compiler, "-print-file-name=" + file}).text.starts_with('/')) return;
  const bool is_fftw = file.starts_with("libfftw3");
  const std::string package = !is_fftw                        ? "libopenblas0"
                              : file.starts_with("libfftw3f") ? "libfftw3-single3"
                                                              : "libfftw3-double3";
  throw UsageError("-l" + part + " computes with " + (is_fftw ? "FFTW" : "OpenBLAS") + ", and " +
                   file + " is not installed (Debian, Ubuntu: apt install " + package +
                   "; if it is elsewhere, name its folder with -L)");
}

}  // namespace emulator::compiler::nvcc
