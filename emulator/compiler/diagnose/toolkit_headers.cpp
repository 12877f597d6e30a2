#include "compiler/diagnose/toolkit_headers.hpp"

#include <cstddef>
#include <filesystem>

#include "compiler/text/lexer.hpp"
#include "compiler/text/line_map.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::any_marker;
using text::lex;
using text::LineMap;
using text::LineMarker;
using text::Position;
using text::unquoted;

namespace fs = std::filesystem;

// By the start of the name: whole headers, and folders.
struct ToolkitHeader {
  std::string_view start;
  std::string_view title;
};

constexpr ToolkitHeader toolkit_headers[] = {
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cuda/", "libcu++"},
    {"cuda/std/", "libcu++"},
    {"cooperative_groups/", "this part of cooperative groups"},
    {"cufft", "cuFFT"},
    {"cusparseLt", "cuSPARSELt"},
    {"cusparse", "cuSPARSE"},
    {"cusolverMg", "cuSOLVERMg"},
    {"cusolver", "cuSOLVER"},
    {"cublasXt.h", "cuBLASXt"},
    {"cublas.h", "the old interface of cuBLAS (cublas_v2.h is modelled)"},
    {"curand", "cuRAND"},
    {"cudnn", "cuDNN"},
    {"cutensorMg", "cuTENSORMg"},
    {"cutensorMp", "cuTENSORMp"},
    {"cutlass/", "CUTLASS, which is not part of CUDA: give its folder by -I; it"},
    {"cute/", "CuTe, which is not part of CUDA: give its folder by -I; it"},
    {"nccl_", "this part of NCCL"},
    {"nvFatbin.h", "nvFatbin"},
    {"nvJitLink.h", "nvJitLink"},
    {"nvPTXCompiler.h", "the PTX compiler's API"},
    {"nvvm.h", "libNVVM"},
    {"nvblas.h", "NVBLAS"},
    {"nv_decode.h", "the library that reads mangled names"},
    {"cufile.h", "cuFile"},
    {"cudla.h", "cuDLA"},
    {"cudss", "cuDSS"},
    {"cudalibxt.h", "what libraries on several GPUs share"},
    {"cuda_occupancy.h", "the occupancy calculator for hosts without CUDA"},
    {"fatbinary_section.h", "the format of fat binaries"},
    {"crt/cuda_tile.h", "CUDA Tile"},
    {"crt/device_fp128_functions.h", "arithmetic of 128 bits"},
    {"nvjpeg.h", "nvJPEG"},
    {"cupti", "CUPTI"},
    {"Openacc/", "CUPTI"},
    {"Openmp/", "CUPTI"},
    {"generated_", "CUPTI"},
    {"nvperf", "CUPTI's Perfworks"},
    {"nvtx3/", "this extension of NVTX"},
    {"nvToolsExt", "this extension of NVTX"},
    {"npp", "NPP"},
    {"nvshmem", "NVSHMEM"},
    {"optix", "OptiX"},
    {"cudaGL", "OpenGL interoperability"},
    {"cuda_gl_interop.h", "OpenGL interoperability"},
    {"cuda_egl_interop.h", "EGL interoperability"},
    {"cuda_vdpau_interop.h", "VDPAU interoperability"},
    {"cudaVDPAU", "VDPAU interoperability"},
    {"cudaEGL", "EGL interoperability"},
    {"cuda_fp", "this format of small floating-point numbers"},
    {"cuda_bf16", "bfloat16"},
    {"cuda_pipeline", "asynchronous copies"},
    {"cuda_awbarrier", "asynchronous barriers"},
    {"cuda_profiler_api.h", "the profiler's API"},
    {"cudaProfiler", "the profiler's API for the driver"},
    {"cooperative_groups.h", "cooperative groups"},
    {"cuComplex.h", "complex numbers"},
    {"texture_", "textures"},
    {"surface_", "surfaces"},
};

// Whether the folder is a toolkit's, and not the emulator's own.
bool is_toolkit(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "cuda_runtime.h", error) &&
         !fs::exists(folder / "emulator" / "qualifiers.h", error);
}

// The name by which a toolkit's header with that path is included; empty if it is not one of those.
std::string_view name_in_toolkit(std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const std::string_view name = path.substr(slash + 1);
    if (!toolkit_header_title(name).empty() && is_toolkit(path.substr(0, slash))) return name;
  }
  return {};
}

}  // namespace

std::string_view toolkit_header_title(std::string_view header) {
  for (const ToolkitHeader& candidate : toolkit_headers) {
    if (header.substr(0, candidate.start.size()) == candidate.start) return candidate.title;
  }
  return {};
}

std::string unmodelled_message(std::string_view header, std::string_view title) {
  return std::string(header) + ": " + std::string(title) + " is not modelled";
}

std::string unmodelled_header_error(std::string_view preprocessed) {
  std::string message;
  any_marker(preprocessed, [&](const LineMarker& marker, std::size_t begin) {
    if (!marker.begins_file) return false;
    const std::string_view name = name_in_toolkit(unquoted(marker.position.file));
    if (name.empty()) return false;
    const LineMap lines(preprocessed, lex(preprocessed).directives);
    // Where g++ had come to before: the #include has the next line.
    const Position place = lines.position(begin == 0 ? 0 : begin - 1);
    message.append(unquoted(place.file)).append(1, ':').append(std::to_string(place.line + 1));
    message += ": error: " + unmodelled_message(name, toolkit_header_title(name));
    return true;
  });
  return message;
}

}  // namespace emulator::compiler::diagnose
