#include "compiler/nvcc/build.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "compiler/nvcc/cccl.hpp"
#include "compiler/nvcc/compiler.hpp"
#include "processes/child.hpp"

namespace emulator::compiler::nvcc {
namespace {

namespace fs = std::filesystem;

// CUDA C++ leaves less undefined than g++ assumes, or kernels rely on it without harm on a GPU: a
// float4 read where floats were written, a counter that overflows, a null pointer that is followed
// (which must stay an access that can be reported).
constexpr const char* forgiving[] = {"-fno-strict-aliasing", "-fwrapv",
                                     "-fno-delete-null-pointer-checks"};

void append(Arguments& to, const Arguments& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// What nvcc defines for CUDA sources. __CUDA_ARCH__, which only kernels see, is emulator-compile's.
Arguments cuda_macros(const Request& request) {
  const std::string release = cuda_release(request.cuda);
  Arguments macros = {"-D__NVCC__", "-D__CUDACC__",
                      "-D__CUDACC_VER_MAJOR__=" + release.substr(0, 2),
                      "-D__CUDACC_VER_MINOR__=" + release.substr(3), "-D__CUDACC_VER_BUILD__=0"};
  append(macros, request.cuda_macros);
  return macros;
}

// The architecture of kernels, 75 for sm_75: without -arch nvcc's own.
int architecture_of(const Request& request) {
  if (request.architecture != 0) return request.architecture;
  return request.cuda < 13 ? 52 : 75;
}

// What tells the emulator's headers of an older CUDA (emulator/version.h).
Arguments version_macros(const Request& request) {
  if (request.cuda == 13) return {};
  return {"-DEMULATOR_CUDA=" + std::to_string(request.cuda),
          "-DEMULATOR_ARCH=" + std::to_string(architecture_of(request) * 10)};
}

void append_preprocessing(Arguments& command, const Request& request, const Parts& parts) {
  for (const std::string& folder : parts.include) command.push_back("-I" + folder);
  append(command, version_macros(request));
  append(command, request.preprocess);
}

// Whether a source of the host includes CUDA's headers, at any depth.
bool includes_cuda(const Request& request, const Parts& parts, const std::string& compiler,
                   const Source& source) {
  Arguments command = {compiler, "-std=gnu++17", "-w", "-M", "-MG", "-x", "c++", source.path};
  append_preprocessing(command, request, parts);
  return processes::output_of(command).text.find("/emulator/host/host_types.h") !=
         std::string::npos;
}

// Older standards lack what the emulator's headers are written in.
std::string standard_of(const Request& request, const Parts& parts, const std::string& compiler,
                        const Source& source) {
  const std::string& asked = request.standard;
  if (asked.empty()) return "-std=gnu++17";
  const bool old = asked.ends_with("03") || asked.ends_with("11") || asked.ends_with("14");
  if (old &&
      (source.language == Language::cuda || includes_cuda(request, parts, compiler, source))) {
    return asked.starts_with("gnu") ? "-std=gnu++17" : "-std=c++17";
  }
  return "-std=" + asked;
}

Arguments code_flags(const Request& request, Language language) {
  if (language == Language::cuda && request.look) return {"-Og", "-g"};
  Arguments flags;
  const bool debug = request.debug || request.look || request.device_debug;
  if (language == Language::cuda && request.device_debug) {
    flags.emplace_back("-O0");
  } else if (!request.optimise.empty()) {
    flags.push_back(request.optimise);
  } else {
    flags.emplace_back(debug ? "-Og" : "-O2");
  }
  if (debug) flags.emplace_back("-g");
  return flags;
}

Arguments compile_command(const Request& request, const Parts& parts, const std::string& compiler,
                          const Source& source, const std::string& object) {
  Arguments command;
  if (source.language == Language::cuda) {
    command.push_back(parts.translator);
    if (!request.look) command.emplace_back("--emulator-fast");
    command.emplace_back("--emulator-ask-clang");
    const std::string cccl = find_cccl(request.cccl);
    if (!cccl.empty()) command.push_back("--emulator-cccl=" + cccl);
    command.push_back("--emulator-arch=" + std::to_string(architecture_of(request) * 10) +
                      (request.all_features ? "a" : ""));
    command.emplace_back("--");
  }
  command.push_back(compiler);
  if (source.language != Language::c) {
    command.push_back(standard_of(request, parts, compiler, source));
  }
  append(command, code_flags(request, source.language));
  if (source.language == Language::cuda) {
    command.insert(command.end(), std::begin(forgiving), std::end(forgiving));
    append(command, cuda_macros(request));
  }
  // A module finds all that it needs in the program that loads it. That also writes variables: to
  // g++ a static one that no kernel writes would be the number that it begins with. And those of
  // templates and inline ones would be the same in all modules.
  if (request.goal == Goal::module) {
    append(command, {"-fPIC", "-DEMULATOR_MODULE", "-fno-ipa-reference-addressable",
                     "-fno-toplevel-reorder", "-fno-gnu-unique"});
  }
  append_preprocessing(command, request, parts);
  append(command, request.dependencies);
  // What only the linker understands: g++ would pass it on to nobody, or say that it is not used.
  std::copy_if(request.host.begin(), request.host.end(), std::back_inserter(command),
               [](const std::string& flag) { return !flag.starts_with("-Wl,"); });
  // Diagnostics go through a pipe, so g++ cannot see a terminal.
  if (isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr) {
    command.emplace_back("-fdiagnostics-color=always");
  }
  append(command,
         {"-x", source.language == Language::c ? "c" : "c++", "-c", source.path, "-o", object});
  return command;
}

// What a source depends on, printed or written: the preprocessor's work, to which a kernel is C++.
Arguments dependencies_command(const Request& request, const Parts& parts,
                               const std::string& compiler, const Source& source) {
  Arguments command = {compiler};
  if (source.language != Language::c) {
    command.push_back(standard_of(request, parts, compiler, source));
  }
  if (source.language == Language::cuda) {
    append(command, {"-include", "cuda_runtime.h"});
    append(command, cuda_macros(request));
  }
  append_preprocessing(command, request, parts);
  if (const std::string cccl = find_cccl(request.cccl);
      !cccl.empty() && source.language == Language::cuda) {
    append(command, {"-isystem", cccl, "-DEMULATOR_CCCL"});
  }
  append(command, request.dependencies);
  append(command, {"-x", source.language == Language::c ? "c" : "c++", source.path});
  if (!request.output.empty()) append(command, {"-o", request.output});
  return command;
}

// nvcc's step between compiling and linking. Nothing is left to be done there, but build systems
// wait for its object.
Arguments device_link_command(const Request& request, const std::string& compiler) {
  for (const LinkItem& item : request.link) {
    if (item.text.ends_with(".o") && access(item.text.c_str(), R_OK) != 0) {
      throw UsageError("cannot read '" + item.text + "'");
    }
  }
  const std::string object = request.output.empty() ? "a_dlink.o" : request.output;
  return {compiler, "-fPIC", "-x", "c", "-c", "/dev/null", "-o", object};
}

const std::vector<std::string>& library(const Parts& parts, const std::string& name) {
  const auto found = parts.libraries.find(name);
  if (found == parts.libraries.end()) {
    throw UsageError("-l" + name + ": not modelled by this build of the emulator");
  }
  return found->second;
}

Arguments link_command(const Request& request, const Parts& parts, const std::string& compiler,
                       const Arguments& objects, const std::string& program) {
  // Before the program's own folders, which may be a toolkit's of NVIDIA's.
  Arguments command = {compiler, "-L" + parts.toolkit + "/lib64"};
  // Libraries come last, wherever they are: so does nvcc, and Makefiles rely on it.
  const auto is_library = [](const LinkItem& item) {
    return item.source < 0 && (item.text.starts_with("-l") || item.text.starts_with("-L"));
  };
  for (const LinkItem& item : request.link) {
    if (is_library(item)) continue;
    command.push_back(item.source < 0 ? item.text : objects[static_cast<std::size_t>(item.source)]);
  }
  for (const LinkItem& item : request.link) {
    if (is_library(item)) command.push_back(item.text);
  }
  append(command, {"-o", program});
  append(command, request.host);
  // Shared arrays are thread-local here. With one that is aligned to more than a page the linker
  // makes a program in which the loader cannot protect what it has relocated.
  command.emplace_back("-Wl,-z,norelro");
  if (request.debug || request.look || request.device_debug) command.emplace_back("-g");

  std::set<std::string> done;
  std::set<std::string> folders;
  for (const std::string& name : request.libraries) {
    if (!done.insert(name).second) continue;
    for (const std::string& file : library(parts, name)) {
      check_part(file);
      command.push_back(file);
      if (file.starts_with("-l")) {
        check_system_library(file, name, request, compiler);
        continue;
      }
      const std::string folder = fs::path(file).parent_path().string();
      if (file.find(".so") != std::string::npos && folders.insert(folder).second) {
        command.push_back("-Wl,-rpath," + folder);
      }
    }
  }
  // NVRTC finds its compiler, this one, in the folder of the toolkit.
  if (done.contains("nvrtc")) command.push_back("-Wl,-rpath," + parts.toolkit + "/bin");
  // A program that loads modules has all of the runtime, which they find by its names.
  if (done.contains("cuda")) {
    append(command, {"-Wl,--export-dynamic", "-Wl,--whole-archive", library(parts, "runtime")[0],
                     "-Wl,--no-whole-archive"});
  }
  // The runtime, by NVIDIA's names: CMake learns from this line what it has to link itself.
  const std::string runtime = "runtime";
  for (const std::string& file : library(parts, runtime)) check_part(file);
  append(command, {"-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl"});
  return command;
}

// Two sources of one name, in different folders, must not meet in one object.
std::string temporary_object(const std::string& folder, const std::string& path, std::size_t i) {
  return folder + "/" + std::to_string(i) + "_" + fs::path(path).stem().string() + ".o";
}

std::string kept_object(const Request& request, const std::string& path) {
  if (!request.output.empty()) return request.output;
  const std::string name = fs::path(path).stem().string() + ".o";
  return request.output_folder.empty() ? name : request.output_folder + "/" + name;
}

}  // namespace

Plan make_plan(const Request& request, const Parts& parts, const std::string& folder) {
  const std::string compiler = find_compiler(request, parts);
  for (const Source& source : request.sources) {
    if (access(source.path.c_str(), R_OK) != 0 || fs::is_directory(source.path)) {
      throw UsageError("cannot read '" + source.path + "'");
    }
  }
  Plan plan;
  if (request.goal == Goal::dependencies) {
    plan.steps.push_back(
        {dependencies_command(request, parts, compiler, request.sources[0]), request.output});
    return plan;
  }
  Arguments objects;
  for (const Source& source : request.sources) {
    const std::string object = request.goal == Goal::objects
                                   ? kept_object(request, source.path)
                                   : temporary_object(folder, source.path, objects.size());
    plan.steps.push_back({compile_command(request, parts, compiler, source, object), object});
    objects.push_back(object);
  }
  if (request.goal == Goal::device_link) {
    const Arguments command = device_link_command(request, compiler);
    plan.steps.push_back({command, command.back()});
  }
  if (request.goal == Goal::module) {
    const std::string module =
        request.output.empty()
            ? fs::path(request.sources[0].path).stem().string() + request.module_suffix
            : request.output;
    plan.steps.push_back(
        // The C library also has names like `step`: a module's own variables are what it means.
        {{compiler, "-shared", objects[0], "-Wl,-Bsymbolic", "-Wl,-z,norelro", "-o", module},
         module});
  }
  if (request.goal == Goal::library) {
    Arguments command = {"ar", "rcs", request.output};
    for (const LinkItem& item : request.link) {
      if (item.source >= 0) {
        command.push_back(objects[static_cast<std::size_t>(item.source)]);
      } else if (item.text.ends_with(".o")) {
        command.push_back(item.text);
      }
    }
    plan.steps.push_back({command, request.output});
  }
  if (request.goal == Goal::program) {
    plan.program = request.run              ? folder + "/program"
                   : request.output.empty() ? "a.out"
                                            : request.output;
    plan.steps.push_back(
        {link_command(request, parts, compiler, objects, plan.program), plan.program});
  }
  return plan;
}

}  // namespace emulator::compiler::nvcc
