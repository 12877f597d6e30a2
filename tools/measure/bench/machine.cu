#include "bench/machine.hpp"

#include <cublas_v2.h>

#include <string>

#include "ceiling.hpp"
#include "check.hpp"
#include "cublas.hpp"
#include "device.hpp"

namespace course::measure {
namespace {

std::string version_text(int version) {  // 13000 is 13.0
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string cublas_version() {
  std::string text;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int number = 0;
    CUDA_CHECK(cublasGetProperty(part, &number));
    if (!text.empty()) text += '.';
    text += std::to_string(number);
  }
  return text;
}

}  // namespace

Machine describe_machine(const ClockWatch& watch) {
  const Device& gpu = device();
  Machine machine;
  machine.device = gpu.name;
  machine.compute_capability = gpu.compute_capability;
  machine.multiprocessors = gpu.multiprocessors;
  machine.l2_bytes = gpu.l2_bytes;
  std::size_t free_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &machine.memory_bytes));
  machine.peak_gb_per_s = gpu.peak_gigabytes_per_s;
  machine.peak_gflop_per_s = peak_gigaflops_per_s();
  machine.max_sm_mhz = watch.max_sm_mhz();
  machine.driver = watch.driver_version();
  int version = 0;
  CUDA_CHECK(cudaDriverGetVersion(&version));
  machine.driver_cuda = version_text(version);
  CUDA_CHECK(cudaRuntimeGetVersion(&version));
  machine.runtime = version_text(version);
  machine.toolkit = std::to_string(__CUDACC_VER_MAJOR__) + "." +
                    std::to_string(__CUDACC_VER_MINOR__) + "." +
                    std::to_string(__CUDACC_VER_BUILD__);
  machine.cublas = cublas_version();
  return machine;
}

}  // namespace course::measure
