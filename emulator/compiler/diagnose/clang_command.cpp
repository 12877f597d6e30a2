#include "compiler/diagnose/clang_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

namespace emulator::compiler::diagnose {
namespace {

using preprocess::Arguments;
using preprocess::Compilation;
using text::any_marker;
using text::contains;
using text::LineMarker;
using text::unquoted;

namespace fs = std::filesystem;

// The first program of this name in PATH.
std::string in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (folder.empty()) continue;
    std::string file = std::string(folder) + '/' + name;
    if (access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
  }
  return "";
}

// The options of g++'s that say what the preprocessor reads, which clang also takes.
Arguments preprocessor_flags(const Arguments& flags) {
  constexpr std::array<std::string_view, 7> separate = {
      "-I", "-D", "-U", "-isystem", "-iquote", "-include", "-idirafter"};
  Arguments result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (contains(separate, flags[i])) {
      result.push_back(flags[i]);
      if (i + 1 < flags.size()) result.push_back(flags[++i]);
    } else if (std::any_of(separate.begin(), separate.end(),
                           [&](std::string_view option) { return flags[i].starts_with(option); })) {
      result.push_back(flags[i]);
    }
  }
  return result;
}

// What the text says of the headers that it stems from.
struct Headers {
  std::string standard;          // the folder of g++'s standard library
  std::string standard_machine;  // the part of it that depends on the machine
  std::vector<std::string> ours;
  bool has_strings = false;
};

Headers headers_of(std::string_view preprocessed) {
  Headers result;
  std::string our_folder;
  any_marker(preprocessed, [&](const LineMarker& marker, std::size_t) {
    const std::string_view file = unquoted(marker.position.file);
    if (!marker.begins_file) return false;
    const auto folder_before = [&](std::string_view end, std::string& folder) {
      if (folder.empty() && file.ends_with(end)) {
        folder = file.substr(0, file.size() - end.size());
      }
    };
    folder_before("/utility", result.standard);
    folder_before("/bits/c++config.h", result.standard_machine);
    folder_before("/cuda_runtime.h", our_folder);
    if (file.ends_with("/bits/basic_string.h")) result.has_strings = true;
    if (our_folder.empty() || !file.starts_with(our_folder + '/')) return false;
    const std::string name(file.substr(our_folder.size() + 1));
    // NVTX is the host's alone: what is read here first counts as the device's, too.
    if (name.starts_with("nvtx3/")) return false;
    const auto& ours = result.ours;
    if (!name.starts_with("emulator/") && std::find(ours.begin(), ours.end(), name) == ours.end()) {
      result.ours.push_back(name);
    }
    return false;
  });
  return result;
}

std::string standard_of(const Arguments& flags) {
  // The emulator's headers are C++20, of which g++ allows enough in C++17.
  for (const std::string& flag : flags) {
    if (flag.starts_with("-std=") && flag.find('2') != std::string::npos && !flag.ends_with("20") &&
        !flag.ends_with("2a")) {
      return "-std=gnu++2b";
    }
  }
  return "-std=gnu++20";
}

}  // namespace

std::string find_clang() {
  if (const char* const wanted = std::getenv("EMULATOR_CLANG"); wanted != nullptr && *wanted != 0) {
    const std::string name = wanted;
    if (name == "none") return "";
    return name.find('/') == std::string::npos ? in_path(name) : name;
  }
  if (std::string clang = in_path("clang++"); !clang.empty()) return clang;
  constexpr int newest = 22;
  constexpr int oldest = 14;
  for (int version = newest; version >= oldest; --version) {
    std::string clang = in_path("clang++-" + std::to_string(version));
    if (!clang.empty()) return clang;
  }
  return "";
}

namespace {

// /usr/bin/clang++ as /usr/lib/llvm-14/bin/clang++: no link leads to the folder, in which it has
// its name.
std::string beside_its_headers(const std::string& clang) {
  std::error_code error;
  const fs::path file = fs::canonical(clang, error);
  if (error) return clang;
  const fs::path same = file.parent_path() / "clang++";
  return fs::equivalent(same, file, error) ? same.string() : clang;
}

}  // namespace

Arguments clang_command(const Compilation& compilation, const std::string& clang,
                        std::string_view preprocessed) {
  const Headers headers = headers_of(preprocessed);
  Arguments result = {
      // It looks for its own headers beside the name that it is called by: /proc/self/exe, which it
      // would ask otherwise, is not there in every sandbox.
      beside_its_headers(clang), "-no-canonical-prefixes", "-fsyntax-only", "-x", "cuda",
      "--cuda-device-only", "--cuda-gpu-arch=sm_75", "-nocudainc", "-nocudalib",
      standard_of(compilation.flags), "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=1",
      "-fno-caret-diagnostics", "-fno-color-diagnostics",
      // A function with ... is not a mistake as long as it is declared only.
      "-Xclang", "-fcuda-allow-variadic-functions"};
  const Arguments flags = preprocessor_flags(compilation.flags);
  // As for nvcc, constexpr functions are the host's, unless one asks for something else.
  const bool relaxed = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.find("__CUDACC_RELAXED_CONSTEXPR__") != std::string::npos;
  });
  if (!relaxed) {
    result.insert(result.end(), {"-Xclang", "-fno-cuda-host-device-constexpr"});
  }
  // g++'s standard library, without what clang's own headers make of it.
  if (!headers.standard.empty() && !headers.standard_machine.empty()) {
    result.insert(result.end(), {"-nostdinc++", "-isystem", headers.standard, "-isystem",
                                 headers.standard_machine});
  }
  result.insert(result.end(), flags.begin(), flags.end());
  if (headers.has_strings) result.emplace_back("-DEMULATOR_READS_STRINGS");
  result.insert(result.end(), {"-include", "emulator/clang_begin.h"});
  for (const std::string& header : headers.ours) {
    result.insert(result.end(), {"-include", header});
  }
  result.insert(result.end(), {"-include", "emulator/clang_end.h", compilation.source});
  return result;
}

std::vector<std::string> user_files(std::string_view preprocessed) {
  std::vector<std::string> result;
  any_marker(preprocessed, [&](const LineMarker& marker, std::size_t) {
    if (marker.position.in_system_header) return false;
    std::string path = normal_path(unquoted(marker.position.file));
    if (std::find(result.begin(), result.end(), path) == result.end()) {
      result.push_back(std::move(path));
    }
    return false;
  });
  return result;
}

std::string normal_path(std::string_view path) {
  return fs::path(path).lexically_normal().string();
}

}  // namespace emulator::compiler::diagnose
