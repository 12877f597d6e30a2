#include "compiler/nvcc/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace emulator::compiler::nvcc {
namespace {

void add(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

void set_goal(Request& request, Goal goal) {
  request.goal = goal;
}

// NVIDIA's own headers must not take the place of the emulator's, so -I of a toolkit is left out.
// (The emulator's come first anyway, but cub and thrust, say, would still be found in the other.)
bool is_toolkit_folder(std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (!folder.ends_with("/include")) return false;
  folder.remove_suffix(std::string_view("/include").size());
  const std::string_view last = folder.substr(folder.rfind('/') + 1);
  return last.starts_with("cuda") || folder.find("/cuda") != std::string_view::npos;
}

void add_include(Request& request, const std::string& option, const std::string& folder) {
  if (!is_toolkit_folder(folder)) add(request.preprocess, {option + folder});
}

void set_standard(Request& request, const std::string& value) {
  constexpr std::array<std::string_view, 6> known = {"c++03", "c++11", "c++14",
                                                     "c++17", "c++20", "c++23"};
  const bool numbers_only = value.size() == 2;
  const std::string name = numbers_only ? "c++" + value : value;
  const std::string plain = name.starts_with("gnu++") ? "c++" + name.substr(5) : name;
  if (std::find(known.begin(), known.end(), plain) == known.end()) {
    throw UsageError("-std=" + value + ": want c++11, c++14, c++17, c++20 or c++23");
  }
  request.standard = name;
}

// Options for g++. A standard is what it would be without -Xcompiler: the emulator's headers need
// C++17.
void add_host_options(Request& request, const std::string& list) {
  constexpr std::string_view standard = "-std=";
  for (std::string& option : split_list(list)) {
    if (option.starts_with(standard)) {
      set_standard(request, option.substr(standard.size()));
    } else {
      request.host.push_back(std::move(option));
    }
  }
}

void set_optimisation(Request& request, const std::string& value) {
  constexpr std::array<std::string_view, 7> known = {"0", "1", "2", "3", "s", "g", "fast"};
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    throw UsageError("-O" + value + ": want -O0, -O1, -O2 or -O3");
  }
  request.optimise = "-O" + value;
}

void set_language(Request& request, const std::string& value) {
  if (value != "cu" && value != "c++" && value != "c" && value != "none") {
    throw UsageError("-x " + value + ": want cu, c++ or c");
  }
  request.language = value == "none" ? "" : value;
}

// sm_80, compute_90a, 80, `arch=compute_80,code=sm_80`, native, all: the newest counts, as it would
// on a GPU that is newer still.
void set_architecture(Request& request, const std::string& value) {
  constexpr int emulated = 90;  // what cudaGetDeviceProperties() says of the device
  bool known = false;
  for (std::string name : split_list(value)) {
    name.erase(0, name.rfind('=') + 1);
    if (name == "native" || name == "all" || name == "all-major") {
      request.architecture = std::max(request.architecture, emulated);
      known = true;
    }
    name.erase(0, name.rfind('_') + 1);
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || number < 10) continue;
    const bool all_features = end != name.data() + name.size() && *end == 'a';
    if (number > request.architecture) request.all_features = false;
    if (number >= request.architecture) request.all_features |= all_features;
    request.architecture = std::max(request.architecture, number);
    known = true;
  }
  if (!known) throw UsageError("-arch " + value + ": want sm_90, compute_80, native or the like");
}

void set_default_stream(Request& request, const std::string& value) {
  if (value == "per-thread") {
    add(request.preprocess, {"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
  } else if (value != "legacy" && value != "null") {
    throw UsageError("-default-stream " + value + ": want legacy, null or per-thread");
  }
}

void set_separate(Request& request, const std::string& value) {
  // NVIDIA's CUB would launch with functions of the device runtime that are not modelled; without
  // them its algorithms run in the thread that calls them.
  if (value == "true") add(request.cuda_macros, {"-D__CUDACC_RDC__", "-DCUB_DISABLE_CDP"});
}

void set_cuda(Request& request, const std::string& value) {
  if (value != "11" && value != "12" && value != "13") {
    throw UsageError("--cuda=" + value + ": want 11, 12 or 13");
  }
  request.cuda = value[1] - '0' + 10;
}

void take_extended_lambdas(Request& request, const std::string& /*value*/) {
  // nvcc answers these three questions itself, and libcu++ asks them where the macro is defined.
  // Here a __device__ lambda is a lambda like any other: the host may ask what it returns.
  add(request.cuda_macros,
      {"-D__CUDACC_EXTENDED_LAMBDA__", "-D__nv_is_extended_device_lambda_closure_type(T)=false",
       "-D__nv_is_extended_host_device_lambda_closure_type(T)=false",
       "-D__nv_is_extended_device_lambda_with_preserved_return_type(T)=false"});
}

constexpr auto honoured = Effect::honoured;
constexpr auto ignored = Effect::ignored;
constexpr auto refused = Effect::refused;

using R = Request;
using S = const std::string;

constexpr const char* no_device_code =
    "there is no device code: kernels become part of the program's machine code";

constexpr const char* no_static_program =
    "the runtime wraps functions of the C library, and finds them only in a shared one";

// clang-format off
constexpr Option options[] = {
    // What to make.
    {"-o", "--output-file", ValueForm::joined, honoured, "FILE  the file to write", [](R& r, S& v) { r.output = v; }},
    {"-odir", "--output-directory", ValueForm::separate, honoured, "FOLDER  where the objects of -c go", [](R& r, S& v) { r.output_folder = v; }},
    {"-c", "--compile", ValueForm::none, honoured, "  compile, do not link", [](R& r, S&) { set_goal(r, Goal::objects); }},
    {"-dc", "--device-c", ValueForm::none, honoured, "  the same: device functions are always found across files", [](R& r, S&) { set_goal(r, Goal::objects); set_separate(r, "true"); }},
    {"-dw", "--device-w", ValueForm::none, honoured, "  the same", [](R& r, S&) { set_goal(r, Goal::objects); }},
    {"-dlink", "--device-link", ValueForm::none, honoured, "  make an empty object: device functions are found by the last step", [](R& r, S&) { set_goal(r, Goal::device_link); }},
    {"-lib", "--lib", ValueForm::none, honoured, "  make a static library", [](R& r, S&) { set_goal(r, Goal::library); }},
    {"-cubin", "--cubin", ValueForm::none, honoured, "  make a module of kernels, for cuModuleLoad() of the driver API", [](R& r, S&) { set_goal(r, Goal::module); r.module_suffix = ".cubin"; }},
    {"-fatbin", "--fatbin", ValueForm::none, honoured, "  the same", [](R& r, S&) { set_goal(r, Goal::module); r.module_suffix = ".fatbin"; }},
    {"--run", "-run", ValueForm::none, honoured, "  compile, run with the arguments after the source, and clean up", [](R& r, S&) { r.run = true; }},
    {"-run-args", "--run-args", ValueForm::separate, honoured, "A,B  with --run: arguments of the program", [](R& r, S& v) { for (const std::string& a : split_list(v)) add(r.run_arguments, {a}); }},
    {"--look", "-look", ValueForm::none, honoured, "  build a program whose memory traffic can be looked at", [](R& r, S&) { r.look = true; }},
    {"--check", "-check", ValueForm::none, honoured, "  with --run: --look, and look for mistakes (races, accesses out of bounds)", [](R& r, S&) { r.look = r.check = true; }},
    {"--lockstep", "-lockstep", ValueForm::none, honoured, "  the same, and the lanes of a warp run in step at volatile accesses and fences, as before Volta", [](R& r, S&) { r.look = true; add(r.cuda_macros, {"-DEMULATOR_LOCKSTEP"}); }},
    {"-x", "--x", ValueForm::separate, honoured, "cu|c++|c  the language, whatever the names of the sources", set_language},
    {"-shared", "--shared", ValueForm::none, honoured, "  with -dlink only: the emulator makes programs and static libraries", [](R& r, S&) { r.shared = true; }},
    {"-optf", "--options-file", ValueForm::separate, honoured, "FILE  more options, from a file"},
    {"-v", "--verbose", ValueForm::none, honoured, "  print the commands", [](R& r, S&) { r.show = true; }},
    {"-dryrun", "--dryrun", ValueForm::none, honoured, "  print the commands, run none", [](R& r, S&) { r.show = r.dry = true; }},
    {"-V", "--version", ValueForm::none, honoured, "  print the version", [](R& r, S&) { r.version = true; }},
    {"-arch-ls", "--list-gpu-arch", ValueForm::none, honoured, "  print which architectures -arch takes", [](R& r, S&) { r.list_architectures = "compute_"; }},
    {"-code-ls", "--list-gpu-code", ValueForm::none, honoured, "  the same of -code", [](R& r, S&) { r.list_architectures = "sm_"; }},
    {"--list-ptx", "-list-ptx", ValueForm::none, honoured, "  print which PTX is known in asm()", [](R& r, S&) { r.list_ptx = true; }},
    {"-h", "--help", ValueForm::none, honoured, "  print this", [](R& r, S&) { r.help = true; }},

    // What the sources see.
    {"-I", "--include-path", ValueForm::joined, honoured, "FOLDER  look for headers there (a CUDA toolkit's is left out)", [](R& r, S& v) { add_include(r, "-I", v); }},
    {"-isystem", "--system-include", ValueForm::separate, honoured, "FOLDER  the same, after all -I", [](R& r, S& v) { add_include(r, "-isystem", v); }},
    {"-include", "--pre-include", ValueForm::separate, honoured, "FILE  include it first", [](R& r, S& v) { add(r.preprocess, {"-include", v}); }},
    {"--cccl", "-cccl", ValueForm::separate, honoured, "FOLDER  where Thrust, CUB and libcu++ are; without it they are looked for", [](R& r, S& v) { r.cccl = v; }},
    {"-D", "--define-macro", ValueForm::joined, honoured, "NAME[=TEXT]  define a macro", [](R& r, S& v) { add(r.preprocess, {"-D" + v}); }},
    {"-U", "--undefine-macro", ValueForm::joined, honoured, "NAME  undefine it", [](R& r, S& v) { add(r.preprocess, {"-U" + v}); }},
    {"-std", "--std", ValueForm::separate, honoured, "c++11|c++14|c++17|c++20|c++23  the language (default c++17; older ones are taken as c++17 where CUDA is included)", set_standard},
    {"--cuda=", "", ValueForm::joined, honoured, "11|12|13  12 takes what CUDA 13 has removed, 11 also what CUDA 12 has removed", set_cuda},
    {"-default-stream", "--default-stream", ValueForm::separate, honoured, "legacy|per-thread  what stream 0 is", set_default_stream},

    // How they are compiled.
    {"-O", "--optimize", ValueForm::joined, honoured, "0|1|2|3  how much is optimised (default 2)", set_optimisation},
    {"-g", "--debug", ValueForm::none, honoured, "  for the debugger; without -O also -Og", [](R& r, S&) { r.debug = true; }},
    {"-G", "--device-debug", ValueForm::none, honoured, "  for the debugger: -O0 -g in .cu files", [](R& r, S&) { r.device_debug = true; }},
    {"-w", "--disable-warnings", ValueForm::none, honoured, "  no warnings", [](R& r, S&) { add(r.host, {"-w"}); }},
    {"-pg", "--profile", ValueForm::none, honoured, "  for gprof", [](R& r, S&) { add(r.host, {"-pg"}); }},
    {"-ccbin", "--compiler-bindir", ValueForm::separate, honoured, "G++  the g++ to use, 11 or newer, or its folder", [](R& r, S& v) { r.compiler = v; }},
    {"-Xcompiler", "--compiler-options", ValueForm::separate, honoured, "A,B  options for g++", [](R& r, S& v) { add_host_options(r, v); }},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", ValueForm::none, honoured, "  unknown options go to g++", [](R& r, S&) { r.forward_unknown = true; }},
    {"-forward-unknown-opts", "--forward-unknown-opts", ValueForm::none, honoured, "  the same", [](R& r, S&) { r.forward_unknown = true; }},
    {"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker", ValueForm::none, honoured, "  unknown options go to g++ when it links", [](R& r, S&) { r.forward_to_linker = true; }},
    {"-rdc", "--relocatable-device-code", ValueForm::separate, honoured, "true|false  kernels may launch kernels; device functions are always found", set_separate},
    {"-extended-lambda", "--extended-lambda", ValueForm::none, honoured, "  needs nothing: kernels take lambdas", take_extended_lambdas},
    {"-expt-extended-lambda", "--expt-extended-lambda", ValueForm::none, honoured, "  the same", take_extended_lambdas},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", ValueForm::none, honoured, "  needs nothing: kernels call constexpr functions", [](R& r, S&) { add(r.cuda_macros, {"-D__CUDACC_RELAXED_CONSTEXPR__"}); }},
    {"-M", "--generate-dependencies", ValueForm::none, honoured, "  print what the source depends on, or write it to the FILE of -o", [](R& r, S&) { set_goal(r, Goal::dependencies); add(r.dependencies, {"-M"}); }},
    {"-MM", "--generate-nonsystem-dependencies", ValueForm::none, honoured, "  the same without the system's headers", [](R& r, S&) { set_goal(r, Goal::dependencies); add(r.dependencies, {"-MM"}); }},
    {"-MD", "--generate-dependencies-with-compile", ValueForm::none, honoured, "  write a dependency file beside the object", [](R& r, S&) { add(r.dependencies, {"-MD"}); }},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", ValueForm::none, honoured, "  the same without the system's headers", [](R& r, S&) { add(r.dependencies, {"-MMD"}); }},
    {"-MF", "--dependency-output", ValueForm::separate, honoured, "FILE  its name", [](R& r, S& v) { add(r.dependencies, {"-MF", v}); }},
    {"-MT", "--dependency-target-name", ValueForm::separate, honoured, "NAME  the target in it", [](R& r, S& v) { add(r.dependencies, {"-MT", v}); }},
    {"-MP", "--generate-dependency-targets", ValueForm::none, honoured, "  a target for each header", [](R& r, S&) { add(r.dependencies, {"-MP"}); }},

    {"-arch", "--gpu-architecture", ValueForm::separate, honoured, "sm_90  what __CUDA_ARCH__ is in kernels (default sm_75, as with nvcc 13; sm_52 with --cuda=12 or 11)", set_architecture},
    {"-gencode", "--generate-code", ValueForm::separate, honoured, "arch=...  the same; the newest of several", set_architecture},

    // How they are linked.
    {"-l", "--library", ValueForm::joined, honoured, "NAME  a library; -lcublas is the emulator's", [](R& r, S& v) { for (const std::string& name : split_list(v)) add_library(r, name); }},
    {"-L", "--library-path", ValueForm::joined, honoured, "FOLDER  look for libraries there", [](R& r, S& v) { r.link.push_back({"-L" + v}); }},
    {"-Xlinker", "--linker-options", ValueForm::separate, honoured, "A,B  options for the linker", [](R& r, S& v) { for (const std::string& o : split_list(v)) { r.link.push_back({"-Xlinker"}); r.link.push_back({o}); } }},

    // What has no meaning without a GPU.
    {"-code", "--gpu-code", ValueForm::separate, ignored, {}},
    {"-maxrregcount", "--maxrregcount", ValueForm::separate, ignored, {}},
    {"-lineinfo", "--generate-line-info", ValueForm::none, ignored, {}},
    {"-use_fast_math", "--use_fast_math", ValueForm::none, ignored, {}},
    {"-ftz", "--ftz", ValueForm::separate, ignored, {}},
    {"-prec-div", "--prec-div", ValueForm::separate, ignored, {}},
    {"-prec-sqrt", "--prec-sqrt", ValueForm::separate, ignored, {}},
    {"-fmad", "--fmad", ValueForm::separate, ignored, {}},
    {"-restrict", "--restrict", ValueForm::none, ignored, {}},
    {"-extra-device-vectorization", "--extra-device-vectorization", ValueForm::none, ignored, {}},
    {"-dlto", "--dlink-time-opt", ValueForm::none, ignored, {}},
    {"-dopt", "--dopt", ValueForm::separate, ignored, {}},
    {"-Xptxas", "--ptxas-options", ValueForm::separate, ignored, {}},
    {"-Xnvlink", "--nvlink-options", ValueForm::separate, ignored, {}},
    {"-Xcudafe", "--cudafe-options", ValueForm::separate, ignored, {}},
    {"-Xarchive", "--archive-options", ValueForm::separate, ignored, {}},
    {"-res-usage", "--resource-usage", ValueForm::none, ignored, {}},
    {"-cudart", "--cudart", ValueForm::separate, ignored, {}},
    {"-cudadevrt", "--cudadevrt", ValueForm::separate, ignored, {}},
    {"-m64", "--m64", ValueForm::none, ignored, {}},
    {"-m", "--machine", ValueForm::separate, ignored, {}},
    {"-t", "--threads", ValueForm::joined, ignored, {}},
    {"-split-compile", "--split-compile", ValueForm::separate, ignored, {}},
    {"-keep", "--keep", ValueForm::none, ignored, {}},
    {"-keep-dir", "--keep-dir", ValueForm::separate, ignored, {}},
    {"-save-temps", "--save-temps", ValueForm::none, ignored, {}},
    {"-noprof", "--no-profile", ValueForm::none, ignored, {}},
    {"-time", "--time", ValueForm::separate, ignored, {}},
    {"-ewp", "--extensible-whole-program", ValueForm::none, ignored, {}},
    {"-src-in-ptx", "--source-in-ptx", ValueForm::none, ignored, {}},
    {"-Werror", "--Werror", ValueForm::separate, ignored, {}},
    {"-diag-suppress", "--diag-suppress", ValueForm::separate, ignored, {}},
    {"-diag-error", "--diag-error", ValueForm::separate, ignored, {}},
    {"-diag-warn", "--diag-warn", ValueForm::separate, ignored, {}},
    {"-err-no", "--display-error-number", ValueForm::none, ignored, {}},
    {"-no-err-no", "--no-display-error-number", ValueForm::none, ignored, {}},
    {"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", ValueForm::none, ignored, {}},
    {"-Wno-deprecated-declarations", "--Wno-deprecated-declarations", ValueForm::none, ignored, {}},
    {"-Wreorder", "--Wreorder", ValueForm::none, ignored, {}},
    {"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", ValueForm::none, ignored, {}},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", ValueForm::none, ignored, {}},
    {"-no-compress", "--no-compress", ValueForm::none, ignored, {}},
    {"-compress-mode", "--compress-mode", ValueForm::separate, ignored, {}},
    {"-nohdinitlist", "--no-host-device-initializer-list", ValueForm::none, ignored, {}},
    {"-nohdmoveforward", "--no-host-device-move-forward", ValueForm::none, ignored, {}},
    {"-brief-diag", "--brief-diagnostics", ValueForm::separate, ignored, {}},
    {"-jobserver", "--jobserver", ValueForm::none, ignored, {}},
    {"-static-global-template-stub", "--static-global-template-stub", ValueForm::separate, ignored, {}},
    {"-device-stack-protector", "--device-stack-protector", ValueForm::separate, ignored, {}},
    {"-fdevice-time-trace", "--fdevice-time-trace", ValueForm::separate, ignored, {}},
    {"-jtd", "--jump-table-density", ValueForm::separate, ignored, {}},
    {"-gen-opt-lto", "--gen-opt-lto", ValueForm::none, ignored, {}},
    {"-frandom-seed", "--frandom-seed", ValueForm::separate, ignored, {}},
    {"-Ofc", "--Ofast-compile", ValueForm::separate, ignored, {}},

    // What would have to give something that is not there.
    {"-E", "--preprocess", ValueForm::none, refused, "preprocess with g++ -E, and the emulator's headers by -I"},
    {"-ptx", "--ptx", ValueForm::none, refused, no_device_code},
    {"-optix-ir", "--optix-ir", ValueForm::none, refused, no_device_code},
    {"-cuda", "--cuda", ValueForm::none, refused, no_device_code},
    {"-m32", "--m32", ValueForm::none, refused, "the emulator is made for 64 bits"},
    {"-static", "--static", ValueForm::none, refused, no_static_program},
    {"-static-pie", "--static-pie", ValueForm::none, refused, no_static_program},
};

struct KnownLibrary {
  std::string_view name;
  std::string_view part;  // of the emulator; empty: nothing to link
  std::string_view title;  // of one that is not modelled
};

constexpr KnownLibrary known_libraries[] = {
    {"cublas", "cublas", {}}, {"cublas_static", "cublas", {}},
    {"curand", "curand", "cuRAND"}, {"curand_static", "curand", "cuRAND"},
    {"cudart", {}, {}}, {"cudart_static", {}, {}}, {"cudadevrt", {}, {}}, {"culibos", {}, {}},
    {"cuda", "cuda", {}}, {"nvToolsExt", {}, {}}, {"nvtx3interop", {}, {}},
    {"cublasLt", "cublas", {}}, {"cublasLt_static", "cublas", {}},
    {"cutensor", "cutensor", {}}, {"cutensor_static", "cutensor", {}},
    {"cufft", "cufft", {}}, {"cufft_static", "cufft", {}}, {"cufft_static_nocallback", "cufft", {}},
    {"cufftw", {}, "cuFFT's interface of FFTW's"},
    {"cusparse", "cusparse", {}}, {"cusparse_static", "cusparse", {}}, {"cusparseLt", {}, "cuSPARSELt"},
    {"cusolver", "cusolver", {}}, {"cusolver_static", "cusolver", {}}, {"cusolverMg", {}, "cuSOLVERMg"},
    {"cudnn", {}, "cuDNN"}, {"nccl", "nccl", {}}, {"nccl_static", "nccl", {}},
    {"nvfatbin", {}, "nvFatbin"}, {"nvfatbin_static", {}, "nvFatbin"}, {"nvrtc", "nvrtc", {}}, {"nvrtc_static", "nvrtc", {}}, {"nvJitLink", {}, "nvJitLink"}, {"nvjpeg", {}, "nvJPEG"},
    {"nvidia-ml", "nvidia-ml", {}}, {"cupti", {}, "CUPTI"}, {"nvgraph", {}, "nvGRAPH"},
    {"nppc", {}, "NPP"}, {"nppial", {}, "NPP"}, {"nppicc", {}, "NPP"}, {"nppidei", {}, "NPP"},
    {"nppif", {}, "NPP"}, {"nppig", {}, "NPP"}, {"nppim", {}, "NPP"}, {"nppist", {}, "NPP"},
    {"nppisu", {}, "NPP"}, {"nppitc", {}, "NPP"}, {"npps", {}, "NPP"},
    {"nvshmem", {}, "NVSHMEM"}, {"optix", {}, "OptiX"},
};
// clang-format on

}  // namespace

std::span<const Option> all_options() {
  return options;
}

Arguments split_list(std::string_view text) {
  Arguments result;
  std::string word;
  bool inside = false;  // of a word, which may be empty: ""
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ',' || c == ' ' || c == '\t' || c == '\n') {
      if (inside) result.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) result.push_back(word);
  return result;
}

void add_library(Request& request, const std::string& name) {
  const auto* const known =
      std::find_if(std::begin(known_libraries), std::end(known_libraries),
                   [&](const KnownLibrary& library) { return library.name == name; });
  if (known == std::end(known_libraries)) {
    request.link.push_back({"-l" + name});
  } else if (!known->part.empty()) {
    request.libraries.emplace_back(known->part);
  } else if (!known->title.empty()) {
    throw UsageError("-l" + name + ": " + std::string(known->title) + " is not modelled");
  }
}

}  // namespace emulator::compiler::nvcc
