#pragma once
/// \file
/// What a command line of emucc asks for.

#include <stdexcept>
#include <string>
#include <vector>

namespace emulator::compiler::nvcc {

using Arguments = std::vector<std::string>;

/// Wrong usage, in one line. The program ends with status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a source is compiled as.
enum class Language { cuda, cxx, c };

struct Source {
  std::string path;
  Language language = Language::cuda;
};

/// One thing that the linker is given, in the order of the command line.
struct LinkItem {
  std::string text;
  int source = -1;  ///< its object, if this is a source; -1 for everything else
};

/// How far to go.
enum class Goal { program, objects, library, device_link, dependencies, module };

struct Request {
  Goal goal = Goal::program;
  bool look = false;   ///< instrumented, to be looked at
  bool check = false;  ///< with `run`: look for mistakes
  bool run = false;    ///< run the program, with `program_arguments`
  bool show = false;   ///< print the commands
  bool dry = false;    ///< ... and do not run them
  bool help = false;
  bool version = false;
  bool list_ptx = false;
  std::string list_architectures;  ///< how their names begin; empty: they are not asked for
  bool shared = false;             ///< -shared, which means something with -dlink only
  std::string module_suffix;       ///< of a module's name, if none is asked for
  bool debug = false;              ///< -g
  bool device_debug = false;       ///< -G
  bool forward_to_linker = false;  ///< unknown options, unless forward_unknown
  bool forward_unknown = false;
  std::string output;
  std::string output_folder;
  std::string cccl;           ///< of --cccl: where Thrust, CUB and libcu++ are
  std::string compiler;       ///< of -ccbin; empty for the one the emulator was built with
  std::string standard;       ///< "c++17" or the like; empty for the default
  std::string optimise;       ///< "-O3"; empty for the default
  int architecture = 0;       ///< the newest of -arch and -gencode, 90 for sm_90; 0 without
  bool all_features = false;  ///< whether that one was named as in sm_90a
  int cuda = 13;              ///< the version of CUDA that the sources are for
  std::string language;       ///< of -x, for the sources after it
  Arguments preprocess;       ///< -I, -D, -include, ...: for every source
  Arguments host;             ///< -Xcompiler: for every source and for the linker
  Arguments dependencies;     ///< of -MD and the like; for Goal::dependencies -M or -MM, too
  Arguments cuda_macros;      ///< for .cu sources only
  std::vector<std::string> libraries;  ///< the parts of the emulator to link: "cublas"
  std::vector<Source> sources;
  std::vector<LinkItem> link;
  Arguments run_arguments;  ///< of --run-args: the first of program_arguments
  Arguments program_arguments;
};

/// Reads a command line, the program's name left out.
/// \throws UsageError
Request read_request(const Arguments& arguments);

/// The last release of a version of CUDA: "12.9".
std::string cuda_release(int cuda);

/// Whether the command line asks for the commands to be shown, right or wrong as it may be.
bool wants_commands(const Arguments& arguments);

/// The text of --help.
std::string help_text();

}  // namespace emulator::compiler::nvcc
