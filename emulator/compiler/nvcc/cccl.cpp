#include "compiler/nvcc/cccl.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "compiler/nvcc/request.hpp"

namespace emulator::compiler::nvcc {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Whether the headers are there. A toolkit's own folder, as it was before CUDA 13, also has others,
// which must not take the place of the emulator's.
bool holds_cccl(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "cuda" / "__cccl_config", error) &&
         fs::exists(folder / "thrust" / "version.h", error) &&
         fs::exists(folder / "cub" / "version.cuh", error) &&
         !fs::exists(folder / "cuda_runtime.h", error);
}

// Where pip puts the packages nvidia-cuda-cccl and cuda-cccl.
void add_python_folders(std::vector<fs::path>& folders, const std::string& prefix) {
  if (prefix.empty()) return;
  std::error_code error;
  std::vector<fs::path> libraries;
  for (const auto& entry : fs::directory_iterator(prefix + "/lib", error)) {
    if (entry.path().filename().string().starts_with("python3")) libraries.push_back(entry.path());
  }
  std::sort(libraries.rbegin(), libraries.rend());
  for (const fs::path& library : libraries) {
    for (const char* const packages : {"site-packages", "dist-packages"}) {
      folders.push_back(library / packages / "nvidia/cu13/include/cccl");
      folders.push_back(library / packages / "nvidia/cuda_cccl/include");
      folders.push_back(library / packages / "cuda/cccl/headers/include");
    }
  }
}

}  // namespace

std::string find_cccl(const std::string& asked) {
  const std::string wanted = asked.empty() ? variable("EMUCC_CCCL") : asked;
  if (wanted == "none") return "";
  if (!wanted.empty()) {
    for (const fs::path& folder :
         {fs::path(wanted), fs::path(wanted) / "include", fs::path(wanted) / "include" / "cccl"}) {
      if (holds_cccl(folder)) return folder.string();
    }
    throw UsageError(
        (asked.empty() ? "EMUCC_CCCL=" : "--cccl ") + wanted +
        ": neither this folder nor its include/cccl has cuda/__cccl_config, thrust and cub");
  }
  std::vector<fs::path> folders;
  for (const std::string& toolkit :
       {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")}) {
    if (!toolkit.empty()) folders.push_back(fs::path(toolkit) / "include" / "cccl");
  }
  add_python_folders(folders, variable("VIRTUAL_ENV"));
  if (const std::string home = variable("HOME"); !home.empty()) {
    add_python_folders(folders, home + "/.local");
  }
  add_python_folders(folders, "/usr/local");
  const auto found = std::find_if(folders.begin(), folders.end(), holds_cccl);
  return found == folders.end() ? "" : found->string();
}

std::string cccl_installation_hint() {
  return "Thrust, CUB and libcu++ are NVIDIA's headers, which emucc does not include: `pip install "
         "nvidia-cuda-cccl==13.0.*`, or give their folder by --cccl";
}

}  // namespace emulator::compiler::nvcc
