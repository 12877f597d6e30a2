#define main chapter_17_main  // not the main() of the bench
#include "cutensor.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {
namespace {

// The libraries' handles live as long as the program, like the registry.
const Library& cutensor() {
  static const Library& library = *new Library;
  return library;
}
cublasHandle_t cublas() {
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) {
    CUDA_CHECK(cublasCreate(&handle));
    CUDA_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));  // plain FP32, as ours: no TF32
  }
  return handle;
}

// --- contractions ----------------------------------------------------------------------------

constexpr float doubled = 2.0F;  // alpha, with a beta of 0

// Whole numbers, so that there is one right result; too many to compute it on the CPU as well.
struct ContractionBench {
  explicit ContractionBench(const Contraction& contraction)
      : c(contraction),
        host_A(exact_vector(c.size_of_a(), 4 * c.inner(), 1)),
        host_B(exact_vector(c.size_of_b(), 4 * c.inner(), 2)),
        A(host_A),
        B(host_B),
        C(c.size_of_c()) {}

  Verdict verify() const {
    const long row = first_wrong_row(c, static_cast<long>(doubled), host_A, host_B, C.to_host());
    return {row < 0, "the first wrong row of the product is " + std::to_string(row)};
  }

  Contraction c;
  std::vector<float> host_A, host_B;
  DeviceArray<float> A, B, C;
};

// For long launches, only those that may win; and the plain loop, with one call for each n, v and
// h, only where these are few.
enum class Selection { leading, most, all };

bool is_wanted(const std::string& name, Selection selection) {
  if (selection == Selection::all) return true;
  if (selection == Selection::most) return name != "loop";
  return name == "cuTENSOR" || name == "direct" || name.starts_with("matrices");
}

std::vector<Competitor> make_contraction(const Contraction& c, Selection selection) {
  const auto bench = std::make_shared<ContractionBench>(c);
  std::vector<Competitor> all;
  for (const ContractionVariant& way : variants_of(cutensor(), cublas(), c)) {
    if (!is_wanted(way.name, selection)) continue;
    all.push_back({way.name, [=] { bench->C.poison(); },
                   [=] { way.run(doubled, bench->A, bench->B, 0.0F, bench->C); },
                   [=] { return bench->verify(); }});
  }
  return all;
}

// The shape in the report is that of the product of matrices.
void add_contraction(Registry& registry, const Contraction& c, Selection selection) {
  const double tensors =
      sizeof(float) * static_cast<double>(c.size_of_a() + c.size_of_b() + c.size_of_c());
  const Work work = gemm_work(c.rows(), c.cols(), c.inner());
  registry.add(Problem{"17_cutensor", c.rows(), c.cols(), work.bytes, work.operations, "fma",
                       2.5 * tensors, 5 * tensors, "cuTENSOR",
                       [=] { return make_contraction(c, selection); }});
}

// --- element by element ----------------------------------------------------------------------

struct ImageBench {
  explicit ImageBench(const Images& images)
      : set(images), A(set.A), bias(set.bias), C(set.C), D(images.size()) {}
  PictureData data() { return {A, bias, C, D}; }

  ImageSet set;
  DeviceArray<float> A, bias, C, D;
};

std::vector<Competitor> make_operation(const Images& p, size_t index) {
  const auto bench = std::make_shared<ImageBench>(p);
  const Operation operation = bench->set.operations(cutensor())[index];
  const auto expected = std::make_shared<std::vector<double>>(operation.expected());
  const auto competitor = [&](const std::string& name, const auto& run) {
    return Competitor{name, [=] { bench->D.poison(); }, [=] { run(bench->data()); },
                      [=] { return verify_images(bench->D.to_host(), *expected); }};
  };
  return {competitor(operation.name, operation.ours),
          competitor(operation.name + ", cuTENSOR", operation.library)};
}

// The shape in the report is pixels x (channels and images).
void add_images(Registry& registry, const Images& p) {
  const struct {
    const char* name;
    double arrays;
    const char* bound;
  } operations[] = {{"permute", 2, "copy"},
                    {"add", 3, "triad"},
                    {"biased max", 3, "triad"},
                    {"reduce", 1, "read"}};
  const double array = sizeof(float) * static_cast<double>(p.size());
  for (size_t i = 0; i < std::size(operations); ++i) {
    const auto& [name, arrays, bound] = operations[i];
    registry.add(Problem{"17_cutensor", p.pixels(), static_cast<size_t>(p.c) * p.n, arrays * array,
                         0, bound, 8 * array, 3.1 * array, std::string(name) + ", cuTENSOR",
                         [=] { return make_operation(p, i); }});
  }
}

}  // namespace

void add_chapter_17(Registry& registry) {
  add_contraction(registry, of_size(24), Selection::all);
  add_contraction(registry, of_size(48), Selection::most);
  add_contraction(registry, of_size(96), Selection::most);                 // the chapter's
  add_contraction(registry, {97, 95, 93, 65, 63, 61}, Selection::most);    // nothing in fours
  add_contraction(registry, {96, 96, 96, 60, 8, 8}, Selection::most);      // few terms
  add_contraction(registry, {32, 32, 32, 32, 128, 128}, Selection::most);  // many, for a small C
  add_contraction(registry, {128, 128, 96, 96, 64, 64}, Selection::leading);
  add_contraction(registry, {192, 192, 96, 64, 64, 64}, Selection::leading);
  add_images(registry, {96, 96, 64, 64});
  add_images(registry, {97, 95, 63, 65});
  add_images(registry, {128, 128, 64, 128});
}

}  // namespace course::measure
