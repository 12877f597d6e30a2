// Chapter 22, the other formats: C = A B by wgmma as in hopper.cu, beside cuBLAS, for
//
//   FP8            E4M3, by default: the tensor core's own sums, and promoted ones; their errors
//   --fp16         FP16
//   --into-fp32    BF16, with C in FP32
//   --tf32         floats, of which the tensor core takes 19 bits
//   --rounding     BF16: which of the library's results are not the rounded sum
//
// of matrices that are stored transposed, and of batches.
//
// The parts: format_kernels.hpp, format_gemm.hpp; in common/lesson/tensor_cores: formats.hpp,
// format_instructions.hpp, format_producer.hpp, format_epilogue.hpp; what is shown of them:
// format_rungs.hpp.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson more.cu -o more -lcublas -lcublasLt

#include "format_rungs.hpp"

int main(int argc, char** argv) try {
  hopper::FormatOptions formats;
  const course::Options options = course::parse_gemm_options(
      argc, argv, "22_hopper_more", "C = A B by wgmma for FP8 and other numbers, beside cuBLAS.",
      [&](course::Defaults& defaults) {
        defaults.on_gpu = {8192, 8192, 8192};
        defaults.on_emulator = {256, 256, 256};
        defaults.choose_data = false;
        formats.add_to(defaults);
      });
  if (course::device().compute_capability != 90) {
    std::puts("SKIPPED: wgmma and tensor maps as here need compute capability 9.0");
    return 77;
  }
  course::Report report(options, course::CeilingKind::fma);
  hopper::compare_formats(options, report, formats);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
