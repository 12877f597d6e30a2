// Chapter 17: C[m,u,n,v] = alpha A[m,h,k,n] B[u,k,v,h] + beta C[m,u,n,v], by cuTENSOR, by one
// kernel of ours, through matrices, and by many calls of cuBLAS. Then operations that move every
// element and compute little, and what a plan costs. Each is a part of this program.
//
// By hand, in this folder, where cuTENSOR is in the compiler's paths (or with -I and -L for it):
//   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson cutensor.cu cpu.cpp -o cutensor
//   -lcutensor -lcublas

#include <memory>

#include "by_loop.hpp"
#include "costs.hpp"
#include "course.hpp"
#include "cpu.hpp"
#include "our_elementwise.hpp"

// --- contractions ----------------------------------------------------------------------------

using Contract =
    std::function<void(float alpha, const float* A, const float* B, float beta, float* C)>;

struct ContractionVariant {
  std::string name;
  Contract run;
  double rounds = 0;  // relative rounding of the inputs; 0: none
};

// TF32's part of a float: 10 bits after the leading one. Some hardware rounds, some truncates.
constexpr double tf32_rounds = 0x1p-10;

std::vector<ContractionVariant> variants_of(const Library& library, cublasHandle_t handle,
                                            const Contraction& c) {
  const auto shared = [](const auto& way) {
    return [way](auto... arguments) { (*way)(arguments...); };
  };
  std::vector<ContractionVariant> ways = {
      {"cuTENSOR", shared(std::make_shared<CutensorContraction>(library, c))},
      {"direct", [c](auto... arguments) { launch_direct(c, arguments...); }},
      {"matrices", shared(std::make_shared<ByTransposes>(c))},
      {"matrices, cuBLAS", shared(std::make_shared<ByTransposes>(c, handle))},
      {"loop", [=](auto... arguments) { launch_loop(handle, c, arguments...); }},
      {"loop of batches", [=](auto... arguments) { launch_batches(handle, c, arguments...); }},
      {"folded", [=, turned = std::make_shared<course::DeviceArray<float>>(c.size_of_b())](
                     auto... arguments) { launch_folded(handle, c, arguments..., *turned); }}};
  if (course::device().compute_capability >= 80) {
    ways.push_back({"cuTENSOR, TF32",
                    shared(std::make_shared<CutensorContraction>(
                        library, c, WorkspaceLimit::by_default, CUTENSOR_COMPUTE_DESC_TF32)),
                    tf32_rounds});
  }
  return ways;
}

// A, B and the old C, and the expected result.
class ContractionData {
 public:
  ContractionData(const Contraction& c, course::Data data, float alpha, float beta,
                  std::uint64_t seed = 1)
      : c_(c), alpha_(alpha), beta_(beta), exact_(data == course::Data::exact) {
    // alpha and beta are small, so that the exact range has room for four times as many terms.
    const auto values = [&](size_t count, std::uint64_t which) {
      return exact_ ? course::exact_vector(count, 4 * std::max<size_t>(c.inner(), 1), which)
                    : course::random_vector(count, which);
    };
    A = values(c.size_of_a(), seed);
    B = values(c.size_of_b(), ~seed);
    if (beta != 0.0F) C = values(c.size_of_c(), seed + 1);
    expected_ = contract_on_cpu(c, alpha, A, B, beta, C, !exact_);
  }

  float alpha() const { return alpha_; }
  float beta() const { return beta_; }

  // Exact data bit for bit, random data within the rounding of a sum of floats, and of the inputs
  // if they are rounded before they are multiplied.
  course::Verdict verify(const std::vector<float>& got, double rounds = 0) const {
    const size_t rows = c_.size_of_c() / std::max(c_.m, 1);
    if (exact_) return course::verify_exact(got.data(), expected_.values.data(), rows, c_.m);
    if (rounds == 0) {
      return course::verify_bounded(got.data(), expected_.values.data(),
                                    expected_.magnitudes.data(), rows, c_.m,
                                    std::max<size_t>(c_.inner(), 1));
    }
    const double worst = largest_error(got);
    char text[100];
    std::snprintf(text, sizeof text, "off by up to %.2g of its terms' sum", worst);
    return {worst < 2.1 * rounds, text};
  }

  // The largest error, relative to the sum of the terms' absolute values.
  double largest_error(const std::vector<float>& got) const {
    double worst = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      const double error = std::fabs(static_cast<double>(got[i]) - expected_.values[i]);
      if (!(error <= worst * expected_.magnitudes[i])) worst = error / expected_.magnitudes[i];
      if (std::isnan(worst)) break;  // NaN: worse than any number
    }
    return worst;
  }

  std::vector<float> A, B, C;  // C is empty where beta is 0: its contents do not matter

 private:
  Contraction c_;
  float alpha_, beta_;
  bool exact_;
  Reference expected_;
};

int show_contractions(const course::Options& options, const Contraction& c) {
  const double tensors =
      sizeof(float) * static_cast<double>(c.size_of_a() + c.size_of_b() + c.size_of_c());
  course::require_memory(options, 7 * tensors, 5 * tensors);
  course::Report report(options, course::CeilingKind::fma);
  const Library library;
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));  // plain FP32, as ours: no TF32
  {
    const std::vector<ContractionVariant> ways = variants_of(library, handle, c);
    {
      const ContractionData data(c, course::Data::exact, 2.0F, -1.0F, options.seed);
      const course::DeviceArray<float> A(data.A), B(data.B);
      course::DeviceArray<float> C(data.C);
      for (const ContractionVariant& way : ways) {
        C.copy_from(data.C);
        way.run(data.alpha(), A, B, data.beta(), C);
        report.check(way.name, "exact data", data.verify(C.to_host()));
      }
    }
    const ContractionData data(c, course::Data::random, 1.0F, 0.0F, options.seed);
    const course::DeviceArray<float> A(data.A), B(data.B);
    course::DeviceArray<float> C(c.size_of_c());
    for (const ContractionVariant& way : ways) {
      const course::Timing timing = TIME_EVENTS(options, C.poison(), way.run(1.0F, A, B, 0.0F, C));
      const std::vector<float> got = C.to_host();
      report.check(way.name, "random data", data.verify(got, way.rounds));
      report.add(way.name, timing, course::gemm_work(c.rows(), c.cols(), c.inner()));
      char line[100];
      std::snprintf(line, sizeof line, "  %-18s %9.1e", way.name.c_str(), data.largest_error(got));
      if (&way == ways.data()) report.note("Largest error, as a part of the sum of the terms:");
      report.note(line);
    }
  }
  CUDA_CHECK(cublasDestroy(handle));
  return report.finish();
}

// --- element by element ----------------------------------------------------------------------

// Small numbers that scale well: whole numbers stay whole.
constexpr float scale_A = 2.0F;
constexpr float scale_bias = -3.0F;
constexpr float scale_C = 5.0F;

// One of the four operations, in our version or the library's.
struct Operation {
  std::string name;
  std::function<void(const PictureData&)> ours, library;
  std::function<std::vector<double>()> expected;
  double bytes;  // that it must move
};

// The images on the host, and the expected result of each operation.
struct ImageSet {
  explicit ImageSet(const Images& images, std::uint64_t seed = 1)
      : p(images),
        A(course::exact_vector(p.size(), p.pixels(), seed)),
        bias(course::exact_vector(p.c, 4, seed + 1)),
        C(course::exact_vector(p.size(), 4, seed + 2)) {}

  // The arrays that they read live as long as this set.
  std::vector<Operation> operations(const Library& library) const {
    const auto array = static_cast<double>(p.size() * sizeof(float));
    const Images q = p;
    const auto permutation = std::make_shared<Permutation>(library, p);
    const auto binary = std::make_shared<Binary>(library, p);
    const auto trinary = std::make_shared<Trinary>(library, p);
    const auto reduction = std::make_shared<Reduction>(library, p);
    using Data = const PictureData&;
    return {
        {"permute", [q](Data d) { launch_permute(q, scale_A, d); },
         [permutation](Data d) { (*permutation)(scale_A, d); },
         [this] { return on_cpu([](float a, float, float) { return scale_A * a; }); }, 2 * array},
        {"add", [q](Data d) { launch_add(q, scale_A, scale_C, d); },
         [binary](Data d) { (*binary)(scale_A, scale_C, d); },
         [this] {
           return on_cpu([](float a, float, float c) { return scale_A * a + scale_C * c; });
         },
         3 * array},
        {"biased max", [q](Data d) { launch_biased_max(q, scale_A, scale_bias, scale_C, d); },
         [trinary](Data d) { (*trinary)(scale_A, scale_bias, scale_C, d); },
         [this] {
           return on_cpu([](float a, float b, float c) {
             return std::max(scale_A * a + scale_bias * b, scale_C * c);
           });
         },
         3 * array},
        {"reduce", [q](Data d) { launch_reduce(q, scale_A, d); },
         [reduction](Data d) { (*reduction)(scale_A, d); }, [this] { return sums_on_cpu(); },
         array}};
  }

  Images p;
  std::vector<float> A, bias, C;

 private:
  // `become(a, bias, C)` for each element, in D's order.
  template <class Become>
  std::vector<double> on_cpu(Become become) const {
    std::vector<double> D(p.size());
    const size_t pixels = p.pixels(), channels = p.c, images = p.n;
    for (size_t n = 0; n < images; ++n) {
      for (size_t i = 0; i < pixels; ++i) {
        for (size_t c = 0; c < channels; ++c) {
          const size_t at = c + channels * (i + pixels * n);
          const float a = A[i + pixels * (c + channels * n)];
          D[at] = static_cast<double>(become(a, bias[c], C[at]));
        }
      }
    }
    return D;
  }
  std::vector<double> sums_on_cpu() const {
    std::vector<double> sums(static_cast<size_t>(p.c) * p.n);
    for (size_t s = 0; s < sums.size(); ++s) {
      for (size_t i = 0; i < p.pixels(); ++i) sums[s] += static_cast<double>(A[s * p.pixels() + i]);
      sums[s] *= static_cast<double>(scale_A);
    }
    return sums;
  }
};

// The elements of D that an operation writes: all, or one for each sum.
course::Verdict verify_images(std::vector<float> D, const std::vector<double>& expected) {
  D.resize(expected.size());
  return course::verify_exact(D.data(), expected.data(), D.size(), 1);
}

int show_elementwise(const course::Options& options, const Images& p) {
  const auto array = static_cast<double>(p.size() * sizeof(float));
  course::require_memory(options, 12 * array, 4 * array);
  course::Report report(options, course::CeilingKind::copy);
  const Library library;
  const ImageSet set(p, options.seed);
  const course::DeviceArray<float> A(set.A), bias(set.bias), C(set.C);
  course::DeviceArray<float> D(p.size());
  const PictureData data{A, bias, C, D};
  for (const Operation& operation : set.operations(library)) {
    const std::vector<double> expected = operation.expected();
    for (const bool ours : {true, false}) {
      const std::string name = operation.name + (ours ? "" : ", cuTENSOR");
      const auto& run = ours ? operation.ours : operation.library;
      const course::Timing timing = TIME_EVENTS(options, D.poison(), run(data));
      report.check(name, "exact data", verify_images(D.to_host(), expected));
      report.add(name, timing, {operation.bytes, 0});
    }
  }
  return report.finish();
}

// --- plans -----------------------------------------------------------------------------------

int show_plans(const course::Options& options, const Contraction& c) {
  course::Report report(options, course::CeilingKind::fma);
  const Library library;
  const ContractionData data(c, course::Data::exact, 2.0F, 0.0F, options.seed);
  const course::DeviceArray<float> A(data.A), B(data.B);
  course::DeviceArray<float> C(c.size_of_c());
  const CutensorContraction usual(library, c);
  for (const Step& step : steps_before_a_call(library, c, usual.operation())) {
    report.add(step.name, TIME_EVENTS(options, static_cast<void>(0), step.run()), {0, 0});
  }
  report.note("Workspace that the plan asks for, in bytes:");
  for (const Limit& limit : limits) {
    CutensorContraction contract(library, c, limit.workspace);
    const std::string name = std::string("contract, ") + limit.name;
    const course::Timing timing = TIME_EVENTS(options, C.poison(), contract(2.0F, A, B, 0.0F, C));
    report.check(name, "exact data", data.verify(C.to_host()));
    report.add(name, timing, course::gemm_work(c.rows(), c.cols(), c.inner()));
    char line[100];
    std::snprintf(line, sizeof line, "  %-14s %12llu", limit.name,
                  static_cast<unsigned long long>(contract.workspace_bytes()));
    report.note(line);
  }
  return report.finish();
}

// --- the command line ------------------------------------------------------------------------

// m, u and n as given, v, h and k two thirds of it, as with 96 and 64.
Contraction of_size(size_t size) {
  const auto large = static_cast<int>(size);
  const int small = std::max(large * 2 / 3, 1);
  return {large, large, large, small, small, small};
}

// "96,96,96,64,64,64", or nothing for anything else.
std::optional<Contraction> extents_of(const std::string& text) {
  Contraction c{};
  char rest = 0;
  if (text.find_first_not_of("0123456789,") != std::string::npos) return {};
  if (std::sscanf(text.c_str(), "%5d,%5d,%5d,%5d,%5d,%5d%c", &c.m, &c.u, &c.n, &c.v, &c.h, &c.k,
                  &rest) != 6) {
    return {};
  }
  for (const int extent : {c.m, c.u, c.n, c.v, c.h, c.k}) {
    if (extent < 1 || extent > 4096) return {};
  }
  return c;
}

int main(int argc, char** argv) try {
  std::string part = "contractions";
  std::optional<Contraction> chosen;
  course::Defaults defaults;
  defaults.program = "17_cutensor";
  defaults.description =
      "C[m,u,n,v] = A[m,h,k,n] B[u,k,v,h] by cuTENSOR and without; --size is m, u and n,\n"
      "and v, h and k are two thirds of it.";
  defaults.on_gpu = {48, 1};  // with 96 the plain loop makes 393,216 calls per run
  defaults.on_emulator = {24, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  defaults.own_options.push_back(
      {"--part", "NAME", "'contractions', 'elementwise' or 'plans'",
       "which part: contractions, elementwise or plans (default contractions)",
       [&](const std::string& name) {
         part = name;
         return part == "contractions" || part == "elementwise" || part == "plans";
       }});
  defaults.own_options.push_back(
      {"--extents", "LIST", "m,u,n,v,h,k: six numbers from 1 to 4096, with commas between them",
       "m,u,n,v,h,k one by one, in place of --size",
       [&](const std::string& text) { return (chosen = extents_of(text)).has_value(); }});
  course::Options options = course::parse_options(argc, argv, defaults);
  if (!chosen && options.rows > 4096) {
    std::fprintf(stderr, "17_cutensor: --size wants a number from 1 to 4096\n");
    return 2;
  }
  const Contraction c = chosen ? *chosen : of_size(options.rows);
  if (part == "elementwise") {
    const Images images{c.m, c.u, c.v, c.h};
    options.rows = images.pixels();
    options.cols = static_cast<size_t>(images.c) * images.n;
    return show_elementwise(options, images);
  }
  options.rows = c.rows(), options.cols = c.cols(), options.inner = c.inner();
  return part == "plans" ? show_plans(options, c) : show_contractions(options, c);
} catch (const std::exception& error) {
  return course::report_failure(error);
}
