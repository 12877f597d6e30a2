#define main chapter_21_main  // not the main() of the bench
#include "tensor_cores.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"
#include "sampled_rows.hpp"

namespace course::measure {
namespace {

// Everything for one shape: normal numbers, or equal ones, which cost the GPU less power.
struct Bench21 {
  Bench21(Kind kind, std::size_t m, std::size_t n, std::size_t k)
      : problem(without_result(kind, m, n, k)),
        inputs(problem),
        C(m * n),
        rows(problem.A, problem.B, m, n, k) {
    options.rows = m;
    options.cols = n;
    options.inner = k;
  }

  static GemmProblem without_result(Kind kind, std::size_t m, std::size_t n, std::size_t k) {
    GemmProblem p{Data::random, m, n, k, HostMatrix(m * k), HostMatrix(k * n), {}, {}};
    fill_matrix(p.A.data(), m, k, Layout::row_major, NormalValues(kind, 1));
    fill_matrix(p.B.data(), k, n, Layout::row_major, NormalValues(kind, ~std::uint64_t{1}));
    return p;
  }

  Verdict verify(Numbers numbers) const {
    const double bound = tolerance(numbers, options.inner);
    return rows.verify(C.to_host(), [=](auto... of) { return verify_within(of..., bound); });
  }

  GemmProblem problem;
  Inputs inputs;
  DeviceArray<float> C;
  Options options;
  SampledRows rows;
};

bool is_bound_by(const TensorRung& rung, const std::string& type) {
  return rung.numbers == Numbers::bf16   ? type == "BF16"
         : rung.numbers == Numbers::fp16 ? type == "FP16"
                                         : type == "TF32";
}

std::vector<Competitor> competitors(Kind kind, const std::string& type, const std::string& suffix,
                                    std::size_t m, std::size_t n, std::size_t k) {
  const auto bench = std::make_shared<Bench21>(kind, m, n, k);
  std::vector<Competitor> all;
  for (const TensorRung& rung : rungs_here()) {
    if (!is_bound_by(rung, type)) continue;
    // The first rungs only where they do not take seconds.
    const bool slow = rung.name == "wmma" || rung.name == "ldmatrix";
    if (slow && m > 4096) continue;
    all.push_back({rung.name + suffix, [=] { bench->C.poison(); },
                   [=] { bench->inputs.launch(rung, bench->C, bench->options); },
                   [=] { return bench->verify(rung.numbers); }});
  }
  return all;
}

void add(Registry& registry, const std::vector<std::string>& types, Kind kind,
         const std::string& suffix, std::size_t m, std::size_t n, std::size_t k) {
  const Work work = gemm_work(m, n, k);
  const double elements = static_cast<double>(m * k + k * n);
  for (const std::string& type : types) {
    const double bytes = type == "TF32" ? work.bytes : work.bytes - 2.0 * elements;
    registry.add(Problem{"21_tensor_cores", m, n, bytes, work.operations, "mma " + type,
                         20.0 * elements, 2.2 * work.bytes, type + " by cuBLAS" + suffix,
                         [=] { return competitors(kind, type, suffix, m, n, k); }, k});
  }
}

template <class T>
void add_ceiling(Registry& registry, const char* name) {
  registry.add(OwnCeiling{"21_tensor_cores", name, [name](const Options& options) {
                            const TensorPeak alone = measure_peak<T>(
                                options, words_of<T>(Kind::normal, std::size_t{512} * peak_words));
                            Ceiling ceiling;
                            ceiling.name = name;
                            ceiling.gigaflops_per_s = alone.gigaflops_per_s();
                            ceiling.operations = alone.operations;
                            ceiling.blocks_per_multiprocessor = 1;
                            ceiling.timing = alone.timing;
                            return ceiling;
                          }});
}

}  // namespace

void add_chapter_21(Registry& registry) {
  add_ceiling<Bf16>(registry, "mma BF16");
  add_ceiling<Fp16>(registry, "mma FP16");
  add_ceiling<tensor::Tf32<false>>(registry, "mma TF32");
  const std::vector<std::string> bf16 = {"BF16"};
  const std::vector<std::string> all = {"BF16", "FP16", "TF32"};
  for (const std::size_t size : {1024, 2048}) {
    add(registry, bf16, Kind::normal, "", size, size, size);
  }
  for (const std::size_t size : {4096, 8192}) {
    add(registry, all, Kind::normal, "", size, size, size);
  }
  add(registry, bf16, Kind::normal, "", 4095, 4097, 4093);
  add(registry, bf16, Kind::normal, "", 4100, 4100, 4100);  // rows aligned to 8 bytes
  add(registry, bf16, Kind::normal, "", 8192, 1024, 4096);
  add(registry, bf16, Kind::normal, "", 512, 512, 16384);
  add(registry, all, Kind::constant, ", constant", 8192, 8192, 8192);
  add(registry, bf16, Kind::zero, ", zero", 8192, 8192, 8192);
}

}  // namespace course::measure
