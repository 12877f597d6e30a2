#include <array>
#include <fstream>
#include <string_view>

#include "host/errors.hpp"
#include "host/process.hpp"
#include "proof.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// emulator::detail::launch(const char*, const Configuration&, ThreadBody, const void*), which
/// every launch calls.
constexpr std::string_view launch_entry =
    "_ZN8emulator6detail6launchEPKcRKNS_13ConfigurationENS0_10ThreadBodyEPKv";

Words output_of(const Words& command) {
  Words lines;
  const ExitStatus status =
      run_process(command, [&](Stream, std::string_view line) { lines.emplace_back(line); });
  if (status.ok()) return lines;
  throw Failure(command.front() + " failed, " + status.text() +
                (lines.empty() ? "" : ": " + lines.back()));
}

/// What launches a kernel of OpenCL's.
constexpr std::string_view opencl_launch = "clEnqueueNDRangeKernel";

/// Functions of cuBLAS and cuTENSOR that compute, as opposed to those that see to handles,
/// settings, plans and copies.
bool computes(std::string_view symbol) {
  if (symbol.starts_with("cutensor")) {
    return symbol.starts_with("cutensorContract") || symbol == "cutensorReduce" ||
           symbol == "cutensorPermute" || symbol.ends_with("Execute");
  }
  if (!symbol.starts_with("cublas")) return false;
  if (symbol.starts_with("cublasLt")) {
    return symbol == "cublasLtMatmul" || symbol == "cublasLtMatrixTransform";
  }
  for (const std::string_view other :
       {"cublasCreate", "cublasDestroy", "cublasSet", "cublasGet", "cublasLogger"}) {
    if (symbol.starts_with(other)) return false;
  }
  return true;
}

}  // namespace

Words make_never_launched(const ExerciseList& list, const fs::path& object,
                          const fs::path& changed) {
  Words command{"objcopy"};
  std::string nothing;  // a function for each symbol, which objcopy asks for
  for (const std::string& line : output_of({"nm", "--undefined-only", object.string()})) {
    const std::string symbol = line.substr(line.find_last_of(' ') + 1);
    if (symbol != launch_entry && symbol != opencl_launch && !computes(symbol)) continue;
    const std::string other = "course_nothing_happens_in_" + symbol;
    command.insert(command.end(), {"--redefine-sym", symbol + '=' + other});
    // Whatever it is called with, it returns 0: cudaSuccess, CUBLAS_STATUS_SUCCESS.
    nothing += "extern \"C\" int " + other + "() { return 0; }\n";
  }
  if (nothing.empty()) throw Failure("the model solution launches no kernel");
  command.insert(command.end(), {object.string(), changed.string()});
  output_of(command);

  const fs::path source = changed.parent_path() / "nothing_happens.cpp";
  const fs::path made = changed.parent_path() / "nothing_happens.o";
  std::ofstream(source) << nothing;
  output_of({list.link.front(), "-c", source.string(), "-o", made.string()});
  return {made.string()};
}

}  // namespace course::tool
