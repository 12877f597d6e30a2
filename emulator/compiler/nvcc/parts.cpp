#include "compiler/nvcc/parts.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace emulator::compiler::nvcc {
namespace {

namespace fs = std::filesystem;

fs::path list_file() {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const fs::path folder = self.parent_path();
  for (const fs::path& path :
       {folder / "emucc.parts", folder.parent_path() / "lib" / "emucc" / "emucc.parts"}) {
    if (fs::exists(path)) return path;
  }
  throw std::runtime_error("the list of the emulator's parts, emucc.parts, is neither beside " +
                           self.string() + " nor in ../lib/emucc");
}

}  // namespace

void check_part(const std::string& path) {
  if (path[0] == '-' || fs::exists(path)) return;
  throw std::runtime_error("a part of the emulator is missing: " + path +
                           " (cmake --build makes it)");
}

Parts find_parts() {
  const fs::path list = list_file();
  std::ifstream file(list);
  Parts parts;
  for (std::string line; std::getline(file, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string word = line.substr(0, blank);
    const std::string value = line.substr(blank + 1);
    // Flags of the linker are copied; everything else in a list of files is a path.
    const bool is_flag = value[0] == '-';
    const std::string path =
        is_flag ? value : (list.parent_path() / value).lexically_normal().string();
    if (word == "version") {
      parts.version = value;
    } else if (word == "built-with") {
      parts.built_with = value;
    } else if (word == "without") {
      parts.without.push_back(value);
    } else if (word == "compiler") {
      parts.compilers.push_back(value);
    } else if (word == "gdb") {
      parts.gdb = path;
    } else if (word == "translator") {
      parts.translator = path;
    } else if (word == "toolkit") {
      parts.toolkit = path;
    } else if (word == "include") {
      parts.include.push_back(path);
    } else {
      parts.libraries[word].push_back(path);
    }
  }
  std::ifstream(list.parent_path() / "emucc.commit") >> parts.commit;
  check_part(parts.translator);
  check_part(parts.toolkit);
  for (const std::string& folder : parts.include) check_part(folder);
  return parts;
}

}  // namespace emulator::compiler::nvcc
