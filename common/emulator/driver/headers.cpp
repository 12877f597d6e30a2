#include "headers.hpp"

#include <string_view>
#include <vector>

namespace emucc {
namespace {

// By the start of the name: whole headers, and folders.
struct Known {
  std::string_view start;
  std::string_view title;
};

constexpr Known known[] = {
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cuda/", "libcu++"},
    {"cuda/std/", "libcu++"},
    {"cooperative_groups/", "this part of cooperative groups"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cublasLt.h", "cuBLASLt"},
    {"cublasXt.h", "cuBLASXt"},
    {"cublas.h", "the old interface of cuBLAS (cublas_v2.h is modelled)"},
    {"curand", "cuRAND"},
    {"cudnn", "cuDNN"},
    {"cutensor", "cuTENSOR"},
    {"cutlass/", "CUTLASS, which is no part of CUDA: give its folder by -I; it"},
    {"cute/", "CuTe, which is no part of CUDA: give its folder by -I; it"},
    {"nccl.h", "NCCL"},
    {"nvrtc.h", "NVRTC"},
    {"nvJitLink.h", "nvJitLink"},
    {"nvjpeg.h", "nvJPEG"},
    {"nvml.h", "NVML"},
    {"cupti", "CUPTI"},
    {"nvtx3/", "NVTX"},
    {"nvToolsExt", "NVTX"},
    {"npp", "NPP"},
    {"nvshmem", "NVSHMEM"},
    {"optix", "OptiX"},
    {"mma.h", "tensor cores (namespace wmma)"},
    {"crt/mma", "tensor cores (namespace wmma)"},
    {"cuda.h", "the driver API"},
    {"cudaGL.h", "OpenGL interoperability"},
    {"cuda_gl_interop.h", "OpenGL interoperability"},
    {"cuda_egl_interop.h", "EGL interoperability"},
    {"cuda_vdpau_interop.h", "VDPAU interoperability"},
    {"cudaEGL.h", "EGL interoperability"},
    {"cuda_fp", "this format of small floating-point numbers"},
    {"cuda_bf16", "bfloat16"},
    {"cuda_pipeline", "asynchronous copies"},
    {"cuda_awbarrier", "asynchronous barriers"},
    {"cuda_profiler_api.h", "the profiler's API"},
    {"cooperative_groups.h", "cooperative groups"},
    {"cuComplex.h", "complex numbers"},
    {"texture_", "textures"},
    {"surface_", "surfaces"},
};

// The parts of a line between `: `. The message is `FILE:LINE:COLUMN: fatal error: HEADER: reason`
// in whatever language g++ speaks.
std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = line.find(": ");
    result.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return result;
    line.remove_prefix(end + 2);
  }
}

std::string without_colours(const std::string& line) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1B') {
      result += line[i];
      continue;
    }
    while (i < line.size() && line[i] != 'm' && line[i] != 'K') ++i;
  }
  return result;
}

}  // namespace

std::string explain_missing_header(const std::string& line) {
  const std::string plain = without_colours(line);
  const std::vector<std::string_view> parts = fields(plain);
  if (parts.size() < 4) return "";
  const std::string_view header = parts[2];
  for (const Known& candidate : known) {
    if (!header.starts_with(candidate.start)) continue;
    return std::string(header) + ": " + std::string(candidate.title) + " is not modelled";
  }
  return "";
}

}  // namespace emucc
