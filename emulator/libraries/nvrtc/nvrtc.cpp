/// \file
/// NVRTC, by emucc.

#include "nvrtc.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "processes/child.hpp"
#include "processes/temporary_folder.hpp"

struct _nvrtcProgram {
  std::string source;
  std::string name;
  std::vector<std::pair<std::string, std::string>> headers;  // names and texts
  std::map<std::string, std::string> lowered;                // by name expression
  std::string log{};
  std::string image{};
  bool compiled = false;  // or tried to be
};

namespace emulator::nvrtc {
namespace {

namespace fs = std::filesystem;

// emucc leaves the folder of its toolkit among those where the program's libraries are looked for.
std::string emucc() {
  if (const char* const named = std::getenv("EMUCC"); named != nullptr) return named;
  Dl_serinfo size;
  void* const program = dlopen(nullptr, RTLD_LAZY);
  if (program != nullptr && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
    std::vector<char> bytes(size.dls_size);
    auto* const folders = reinterpret_cast<Dl_serinfo*>(bytes.data());
    dlinfo(program, RTLD_DI_SERINFOSIZE, folders);
    dlinfo(program, RTLD_DI_SERINFO, folders);
    for (unsigned i = 0; i < folders->dls_cnt; ++i) {
      const fs::path compiler = fs::path(folders->dls_serpath[i].dls_name) / "nvcc";
      if (compiler.parent_path().filename() == "bin" && access(compiler.c_str(), X_OK) == 0) {
        return compiler;
      }
    }
  }
  return "emucc";
}

// What only NVRTC has, or calls otherwise than nvcc does.
std::vector<std::string> options_for_emucc(int count, const char* const* texts) {
  constexpr const char* ignored[] = {"-default-device", "--device-as-default-execution-space",
                                     "-dopt",           "--dopt",
                                     "-jitify",         "-builtin-move-forward"};
  std::vector<std::string> result;
  for (int i = 0; i < count; ++i) {
    const std::string text = texts[i];
    const bool ignore = std::any_of(std::begin(ignored), std::end(ignored),
                                    [&](const char* word) { return text.starts_with(word); });
    if (!ignore && !text.empty()) result.push_back(text);
  }
  return result;
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

nvrtcResult compile(_nvrtcProgram& program, std::vector<std::string> options) {
  const processes::TemporaryFolder folder(fs::temp_directory_path(), "emulator-nvrtc");
  const fs::path& path = folder.path();
  std::string source = program.source + "\n";
  std::size_t number = 0;
  for (auto& [expression, name] : program.lowered) {
    const std::string end = std::to_string(number++);
    name = "emulator_kernel_" + end;
    source += "static const ::emulator::detail::ModuleKernel emulator_name_" + end +
              "(\"kernel\", &" + expression + ");\nextern \"C\" {\nconst void* " + name +
              " = reinterpret_cast<const void*>(&" + expression + ");\n}\n";
  }
  const fs::path file = path / (fs::path(program.name).stem().string() + ".cu");
  write_file(file, source);
  for (const auto& [name, text] : program.headers) write_file(path / "include" / name, text);
  // Quoted headers are where the source does, by its name. NVRTC has printf() and assert() built
  // in.
  const fs::path beside = fs::path(program.name).parent_path();
  std::vector<std::string> command = {emucc(),
                                      "-cubin",
                                      file,
                                      "-o",
                                      path / "module",
                                      "-I" + (path / "include").string(),
                                      "-include",
                                      "stdio.h",
                                      "-include",
                                      "assert.h",
                                      "-I" + (beside.empty() ? "." : beside.string())};
  command.insert(command.end(), options.begin(), options.end());
  const int log = open((path / "log").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  processes::ExitStatus ending;
  try {
    ending = processes::output_of(command, log).ending;
  } catch (const std::exception& error) {
    program.log =
        "emulator: no emucc to compile with: it is not in PATH, and the variable EMUCC does not "
        "name it\n";
    close(log);
    return NVRTC_ERROR_COMPILATION;
  }
  close(log);
  program.log = read_file(path / "log");
  if (ending.status() == 2) return NVRTC_ERROR_INVALID_OPTION;
  if (ending.status() != 0) return NVRTC_ERROR_COMPILATION;
  program.image = read_file(path / "module");
  return NVRTC_SUCCESS;
}

nvrtcResult size_of_image(nvrtcProgram program, std::size_t* bytes) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = program->image.size();
  return NVRTC_SUCCESS;
}

nvrtcResult copy_image(nvrtcProgram program, char* image) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (image == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(program->image.begin(), program->image.end(), image);
  return NVRTC_SUCCESS;
}

}  // namespace
}  // namespace emulator::nvrtc

using namespace emulator::nvrtc;  // NOLINT: what follows is NVRTC's, in no namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define EMULATOR_RESULT(name) \
  case name:                  \
    return #name;
    EMULATOR_RESULT(NVRTC_SUCCESS)
    EMULATOR_RESULT(NVRTC_ERROR_OUT_OF_MEMORY)
    EMULATOR_RESULT(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    EMULATOR_RESULT(NVRTC_ERROR_INVALID_INPUT)
    EMULATOR_RESULT(NVRTC_ERROR_INVALID_PROGRAM)
    EMULATOR_RESULT(NVRTC_ERROR_INVALID_OPTION)
    EMULATOR_RESULT(NVRTC_ERROR_COMPILATION)
    EMULATOR_RESULT(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    EMULATOR_RESULT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    EMULATOR_RESULT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    EMULATOR_RESULT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    EMULATOR_RESULT(NVRTC_ERROR_INTERNAL_ERROR)
#undef EMULATOR_RESULT
  }
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *architectures = 90;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int headers, const char* const* header_sources,
                               const char* const* header_names) {
  if (program == nullptr || source == nullptr || headers < 0) return NVRTC_ERROR_INVALID_INPUT;
  auto* const made = new _nvrtcProgram{source, name == nullptr ? "default_program" : name, {}, {}};
  for (int i = 0; i < headers; ++i) made->headers.emplace_back(header_names[i], header_sources[i]);
  *program = made;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int options, const char* const* texts) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (options < 0 || (options > 0 && texts == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
  program->compiled = true;
  return compile(*program, options_for_emucc(options, texts));
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* bytes) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = program->log.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (log == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* bytes) {
  return size_of_image(program, bytes);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) {
  return copy_image(program, image);
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t* bytes) {
  return size_of_image(program, bytes);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* image) {
  return copy_image(program, image);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->lowered[expression];
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression,
                                const char** lowered) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr || lowered == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (program->image.empty()) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *lowered = found->second.c_str();
  return NVRTC_SUCCESS;
}
