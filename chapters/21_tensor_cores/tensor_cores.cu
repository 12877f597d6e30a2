// Chapter 21: C = A B by tensor cores, which multiply small matrices of low precision and add in
// FP32. Rung by rung, with BF16 inputs:
//
//   wmma               16 x 16 elements of C per warp, all numbers from global memory
//   wmma, shared       64 x 64 per warp, from tiles in shared memory
//   ldmatrix           the instructions themselves: rows of 128 bytes have bank conflicts
//   padded             ... rows of 144 bytes do not
//   swizzled           ... nor do rows of 128 bytes whose pieces are in eight orders
//   3 stages           tiles are copied asynchronously, two stages ahead
//   register prefetch  a warp reads its next fragments while it multiplies these
//   128 x 256          a larger block
//   whole tiles        copies without bounds checks, between the multiplications
//   aligned rows       rows that are not aligned to 16 bytes are copied first
//   producer warps     (Hopper) one thread copies, by tensor maps; the others only multiply
//   stream-k           the tiles beyond whole rounds are divided by steps
//
// and whole tiles with numbers of FP16, of TF32, and of floats that the tensor core truncates;
// these also with stream-k. mma_peak.hpp measures the ceiling, errors.hpp the errors of low
// precision.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson tensor_cores.cu -o tensor_cores
//   -lcublas

#include "any_rows.hpp"
#include "course.hpp"
#include "cublas.hpp"
#include "errors.hpp"
#include "kernels.hpp"
#include "mma_peak.hpp"
#include "numbers.hpp"
#include "producer_warps.hpp"
#include "with_wmma.hpp"

using namespace tensor;

// ---------------------------------------------------------------- launchers

template <class Layout>
using OneStage = Tile<Bf16, 2, 2, 1, Layout>;  // 128 x 128 elements of C, 64 x 64 per warp
using Square = Tile<Bf16, 2, 2, 3, Swizzled>;
template <class T>
using Large = Tile<T, 2, 4, 3, Swizzled>;  // 128 x 256
template <class T>
using Mapped = MappedTile<T, 2, 4, 4>;  // the same, copied by tensor maps

void launch_wmma(const Product<__nv_bfloat16>& g) {
  if (g.m == 0 || g.n == 0) return;
  const unsigned blocks = static_cast<unsigned>((g.m - 1) / 16 + 1) * ((g.n - 1) / 64 + 1);
  gemm_wmma<Bf16><<<blocks, 128>>>(g);
  CUDA_CHECK_LAUNCH();
}

void launch_wmma_shared(const Product<__nv_bfloat16>& g) {
  if (g.m == 0 || g.n == 0) return;
  using Tile = OneStage<Padded>;
  const int bytes = copy_bytes(g);
  const auto kernel = bytes == 16  ? gemm_wmma_shared<Tile, 16>
                      : bytes == 4 ? gemm_wmma_shared<Tile, 4>
                                   : gemm_wmma_shared<Tile, 2>;
  kernel<<<blocks_of<Tile>(g.m, g.n), Tile::threads>>>(g);
  CUDA_CHECK_LAUNCH();
}

// ---------------------------------------------------------------- the library

cublasHandle_t cublas(cublasMath_t mode) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    CUDA_CHECK(cublasCreate(&made));
    return made;
  }();
  CUDA_CHECK(cublasSetMathMode(handle, mode));
  return handle;
}

// As in chapter 08: read as column-major, our C is C^T = B^T A^T.
template <class Element, cudaDataType_t type>
void launch_cublas(const Product<Element>& g) {
  if (g.m == 0 || g.n == 0) return;
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cublasGemmEx(cublas(CUBLAS_DEFAULT_MATH), CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k,
                          &one, g.B, type, g.n, g.A, type, std::max(g.k, 1), &zero, g.C, CUDA_R_32F,
                          g.n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

// Floats in, floats out. With CUBLAS_TF32_TENSOR_OP_MATH the library may use tensor cores.
template <cublasMath_t mode>
void launch_cublas_floats(const Product<float>& g) {
  if (g.m == 0 || g.n == 0) return;
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cublasSgemm(cublas(mode), CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k, &one, g.B, g.n, g.A,
                         std::max(g.k, 1), &zero, g.C, g.n));
}

// ---------------------------------------------------------------- the rungs

struct TensorRung {
  std::string name;
  Numbers numbers;
  std::function<void(const void* A, const void* B, float* C, int m, int n, int k)> launch;
  int shared_bytes = 0;  // that must be requested
  int capability = 0;    // that it needs, 90 for 9.0
};

// A and B are numbers of Element, whatever type the rung is given.
template <class Element>
auto of(void (*launch)(const Product<Element>&)) {
  return [launch](const void* A, const void* B, float* C, int m, int n, int k) {
    launch({static_cast<const Element*>(A), static_cast<const Element*>(B), C, m, n, k});
  };
}

const std::vector<TensorRung> kernels = {
    {"wmma", Numbers::bf16, of(launch_wmma)},
    {"wmma, shared", Numbers::bf16, of(launch_wmma_shared)},
    {"ldmatrix", Numbers::bf16, of(launch_one_stage<OneStage<Plain>>)},
    {"padded", Numbers::bf16, of(launch_one_stage<OneStage<Padded>>)},
    {"swizzled", Numbers::bf16, of(launch_one_stage<OneStage<Swizzled>>)},
    {"3 stages", Numbers::bf16, of(launch_stages<Square>), Square::bytes},
    {"register prefetch", Numbers::bf16, of(launch_read_ahead<Square>), Square::bytes},
    {"128 x 256", Numbers::bf16, of(launch_read_ahead<Large<Bf16>>), Large<Bf16>::bytes},
    {"whole tiles", Numbers::bf16, of(launch_whole_tiles<Large<Bf16>>), Large<Bf16>::bytes},
    {"aligned rows", Numbers::bf16, of(launch_any_rows<Large<Bf16>>), Large<Bf16>::bytes},
    {"producer warps", Numbers::bf16, of(launch_producer_warps<Mapped<Bf16>, false>),
     sizeof(Storage<Mapped<Bf16>>), 90},
    {"stream-k", Numbers::bf16, of(launch_producer_warps<Mapped<Bf16>, true>),
     sizeof(Storage<Mapped<Bf16>>), 90},
    {"FP16", Numbers::fp16, of(launch_whole_tiles<Large<Fp16>>), Large<Fp16>::bytes},
    {"TF32", Numbers::tf32, of(launch_whole_tiles<Large<Tf32<true>>>), Large<Tf32<true>>::bytes},
    {"TF32, truncated", Numbers::tf32_cut, of(launch_whole_tiles<Large<Tf32<false>>>),
     Large<Tf32<false>>::bytes},
    {"TF32, stream-k", Numbers::tf32, of(launch_producer_warps<Mapped<Tf32<true>>, true>),
     sizeof(Storage<Mapped<Tf32<true>>>), 90},
    {"truncated, stream-k", Numbers::tf32_cut, of(launch_producer_warps<Mapped<Tf32<false>>, true>),
     sizeof(Storage<Mapped<Tf32<false>>>), 90},
    {"BF16 by cuBLAS", Numbers::bf16, of(launch_cublas<__nv_bfloat16, CUDA_R_16BF>)},
    {"FP16 by cuBLAS", Numbers::fp16, of(launch_cublas<__half, CUDA_R_16F>)},
    // The library does not say whether it rounds or truncates.
    {"TF32 by cuBLAS", Numbers::tf32_cut, of(launch_cublas_floats<CUBLAS_TF32_TENSOR_OP_MATH>)}};

// Those that the device can run. (The emulator's cuBLAS computes with floats in every mode.)
std::vector<TensorRung> rungs_here() {
  std::vector<TensorRung> here;
  for (const TensorRung& rung : kernels) {
    if (course::on_emulator && rung.name == "TF32 by cuBLAS") continue;
    if (course::device().compute_capability < rung.capability) {
      std::fprintf(stderr, "left out: %s: it needs compute capability %d.%d\n", rung.name.c_str(),
                   rung.capability / 10, rung.capability % 10);
    } else if (rung.shared_bytes <=
               course::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) {
      here.push_back(rung);
    } else {
      std::fprintf(stderr, "left out: %s: it needs %d bytes of shared memory a block\n",
                   rung.name.c_str(), rung.shared_bytes);
    }
  }
  return here;
}

// ---------------------------------------------------------------- verified and timed

// A problem's A and B on the device, in each of the three types.
struct Inputs {
  explicit Inputs(const course::GemmProblem& p)
      : floats_A(p.A),
        floats_B(p.B),
        bf16_A(all_rounded<__nv_bfloat16>(p.A)),
        bf16_B(all_rounded<__nv_bfloat16>(p.B)),
        fp16_A(all_rounded<__half>(p.A)),
        fp16_B(all_rounded<__half>(p.B)) {}

  void launch(const TensorRung& rung, float* C, const course::Options& options) const {
    const auto run = [&](const void* A, const void* B) {
      rung.launch(A, B, C, static_cast<int>(options.rows), static_cast<int>(options.cols),
                  static_cast<int>(options.inner));
    };
    if (rung.numbers == Numbers::bf16) {
      run(static_cast<const __nv_bfloat16*>(bf16_A), static_cast<const __nv_bfloat16*>(bf16_B));
    } else if (rung.numbers == Numbers::fp16) {
      run(static_cast<const __half*>(fp16_A), static_cast<const __half*>(fp16_B));
    } else {
      run(static_cast<const float*>(floats_A), static_cast<const float*>(floats_B));
    }
  }

  course::DeviceArray<float> floats_A, floats_B;
  course::DeviceArray<__nv_bfloat16> bf16_A, bf16_B;
  course::DeviceArray<__half> fp16_A, fp16_B;
};

// The measured peaks of the tensor cores, in GFLOP/s: 16-bit numbers, and TF32. A row for each.
struct Ceilings {
  double bf16 = 0, fp16 = 0, tf32 = 0;
  double of(Numbers numbers) const {
    return numbers == Numbers::bf16 ? bf16 : numbers == Numbers::fp16 ? fp16 : tf32;
  }
};

Ceilings measure_ceilings(const course::Options& options, course::Report& report, Kind kind) {
  constexpr std::size_t words = std::size_t{512} * peak_words;
  const auto add = [&](const char* name, const TensorPeak& alone) {
    report.add(name, alone.timing, {0.0, alone.operations});
    report.bound(name, alone.gigaflops_per_s());
    return alone.gigaflops_per_s();
  };
  Ceilings c;
  c.bf16 = add("mma.sync, BF16", measure_peak<Bf16>(options, words_of<Bf16>(kind, words)));
  c.fp16 = add("mma.sync, FP16", measure_peak<Fp16>(options, words_of<Fp16>(kind, words)));
  using Tf32 = tensor::Tf32<false>;
  c.tf32 = add("mma.sync, TF32", measure_peak<Tf32>(options, words_of<Tf32>(kind, words)));
  return c;
}

void verify_and_time(const course::Options& options, course::Report& report, Kind kind) {
  const std::size_t m = options.rows;
  const std::size_t n = options.cols;
  const std::size_t k = options.inner;
  const std::vector<TensorRung> rungs = rungs_here();
  course::DeviceArray<float> C(m * n);
  {  // whole numbers up to 15: exact in every format, and no sum of them rounds
    const course::GemmProblem exact = course::make_gemm(course::Data::exact, m, n, k, options.seed);
    const Inputs inputs(exact);
    for (const TensorRung& rung : rungs) {
      C.poison();
      inputs.launch(rung, C, options);
      report.check(rung.name, "exact data", course::verify(C.to_host(), exact));
    }
  }
  const Ceilings ceilings = measure_ceilings(options, report, kind);
  const course::GemmProblem problem = make_problem(kind, m, n, k, options.seed);
  const Inputs inputs(problem);
  for (const TensorRung& rung : rungs) {
    const course::Timing timing = TIME_EVENTS(options, C.poison(), inputs.launch(rung, C, options));
    const std::vector<float> result = C.to_host();
    report.check(rung.name, "timed data",
                 course::verify_within(result.data(), problem.reference.data(),
                                       problem.magnitude.data(), m, n, tolerance(rung.numbers, k)));
    course::Work work = course::gemm_work(m, n, k);
    if (rung.numbers == Numbers::bf16 || rung.numbers == Numbers::fp16) {
      work.bytes -= 2.0 * static_cast<double>(m * k + k * n);
    }
    report.add(rung.name, timing, work);
    report.bound(rung.name, ceilings.of(rung.numbers));
  }
}

// The products for the table of errors.
template <class Element>
ProductMethod method(const char* name, void (*launch)(const Product<Element>&),
                     bool scales = false) {
  const auto product = [launch](const course::GemmProblem& p, float scale) {
    return product_of<Element>(p, scale, of(launch));
  };
  return {name, product, scales};
}

std::vector<ProductMethod> methods() {
  std::vector<ProductMethod> all = {
      method("BF16", launch_stages<Square>),
      method("FP16", launch_stages<Tile<Fp16, 2, 2, 3, Swizzled>>),
      method("scaled", launch_stages<Tile<Fp16, 2, 2, 3, Swizzled>>, true),
      method("TF32", launch_stages<Tile<Tf32<true>, 2, 2, 3, Swizzled>>),
      method("truncated", launch_stages<Tile<Tf32<false>, 2, 2, 3, Swizzled>>),
      method("FP32", launch_cublas_floats<CUBLAS_DEFAULT_MATH>)};
  if (!course::on_emulator) {
    all.push_back(method("library", launch_cublas_floats<CUBLAS_TF32_TENSOR_OP_MATH>));
  }
  return all;
}

// ---------------------------------------------------------------- main

int main(int argc, char** argv) try {
  Kind kind = Kind::normal;
  const course::Options options = course::parse_gemm_options(
      argc, argv, "21_tensor_cores", "C = A B by tensor cores, rung by rung.",
      [&](course::Defaults& defaults) {
        defaults.on_emulator = {128, 256, 128};
        defaults.choose_data = false;
        defaults.own_options.push_back(
            {"--data", "KIND", "normal, constant or zero",
             "what is timed: normal, constant (1) or zero (default normal)",
             [&](const std::string& value) {
               if (value == "constant") kind = Kind::constant;
               if (value == "zero") kind = Kind::zero;
               return value == "normal" || value == "constant" || value == "zero";
             }});
      });
  if (!course::on_emulator && course::device().compute_capability < 80) {
    std::puts("SKIPPED: tensor cores that know BF16 and TF32 need compute capability 8.0");
    return 77;
  }
  course::Report report(options, course::CeilingKind::fma);
  verify_and_time(options, report, kind);
  note_errors(report, methods(), options.seed);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
