// Headers of a CUDA toolkit that this machine may have, and the emulator does not model.

#include "compiler/diagnose/toolkit_headers.hpp"

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using emulator::compiler::diagnose::toolkit_header_title;
using emulator::compiler::diagnose::unmodelled_header_error;
using emulator::compiler::diagnose::unmodelled_message;

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

}  // namespace

TEST_CASE("headers are known by how their names begin") {
  CHECK(toolkit_header_title("cufft.h") == "cuFFT");
  CHECK(toolkit_header_title("cufftXt.h") == "cuFFT");
  CHECK(toolkit_header_title("thrust/sort.h") == "Thrust");
  CHECK(toolkit_header_title("thrust.h").empty());
  CHECK(toolkit_header_title("my/cufft.h").empty());
  CHECK(unmodelled_message("cufft.h", "cuFFT") == "cufft.h: cuFFT is not modelled");
}

TEST_CASE("what is missing of CUDA 13's headers has a name") {
  for (const char* const header : {"nvFatbin.h",
                                   "nvPTXCompiler.h",
                                   "nvJitLink.h",
                                   "nvvm.h",
                                   "nvblas.h",
                                   "nv_decode.h",
                                   "nvjpeg.h",
                                   "nppi.h",
                                   "cufile.h",
                                   "cudla.h",
                                   "cufftw.h",
                                   "cusolverMg.h",
                                   "cusparseLt.h",
                                   "cudnn.h",
                                   "nccl_device.h",
                                   "cupti_activity.h",
                                   "Openacc/cupti_openacc.h",
                                   "Openmp/omp-tools.h",
                                   "generated_cuda_meta.h",
                                   "nvperf_host.h",
                                   "cudaGLTypedefs.h",
                                   "cudaEGLTypedefs.h",
                                   "cudaVDPAUTypedefs.h",
                                   "cudaProfilerTypedefs.h",
                                   "cuda_occupancy.h",
                                   "cudalibxt.h",
                                   "fatbinary_section.h",
                                   "crt/cuda_tile.h",
                                   "crt/device_fp128_functions.h",
                                   "nvtx3/nvToolsExtMem.h",
                                   "curand_mtgp32_host.h",
                                   "cuda_gl_interop.h"}) {
    CAPTURE(header);
    CHECK_FALSE(toolkit_header_title(header).empty());
  }
  CHECK(toolkit_header_title("cusparseLt.h") == "cuSPARSELt");
}

TEST_CASE("a toolkit's own headers are refused, and others of the same name are not") {
  const Scratch scratch;
  const std::string folder = scratch.path("include").string();
  scratch.write("include/cuda_runtime.h", "");
  const auto message = [&](const std::string& header, const std::string& flags) {
    return unmodelled_header_error("# 1 \"k.cu\"\nint a;\n\n# 1 \"" + folder + "/" + header + "\"" +
                                   flags + "\nint b;\n# 4 \"k.cu\" 2\n");
  };
  CHECK(message("cufft.h", " 1 3") == "k.cu:3: error: cufft.h: cuFFT is not modelled");
  CHECK(message("thrust/detail/sort.h", " 1 3") ==
        "k.cu:3: error: thrust/detail/sort.h: Thrust is not modelled");
  CHECK(message("cufft.h", " 2 3").empty());  // it goes on in this file
  CHECK(message("vector", " 1 3").empty());
  CHECK(message("my/cufft.h", " 1").empty());
  scratch.write("include/emulator/qualifiers.h", "");  // the emulator's own folder
  CHECK(message("cufft.h", " 1 3").empty());
}

TEST_CASE("emulator-compile refuses them in one line") {
  const Scratch scratch;
  scratch.write("toolkit/cuda_runtime.h", "");
  scratch.write("toolkit/cufft.h", "");
  scratch.write("own/cuda_runtime.h", "");
  scratch.write("k.cu", "int a;\n#include <cufft.h>\n");
  const Result result = scratch.compile("g++ -Iown -isystem toolkit -c k.cu");
  CHECK(result.status == 1);
  CHECK(result.errors == "k.cu:2: error: cufft.h: cuFFT is not modelled\n");
  CHECK_FALSE(scratch.has("k.o"));
}
