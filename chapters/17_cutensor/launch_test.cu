#define main chapter_main  // not the main() of the test
#include "cutensor.cu"
#undef main

#include <doctest/doctest.h>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// m, u, n, v, h, k: ones, primes, around a tile, whole fours and not, flat and tall.
const std::vector<Contraction> contractions = {
    {1, 1, 1, 1, 1, 1},   {2, 3, 5, 7, 1, 2},     {3, 2, 7, 5, 31, 1},  {31, 33, 1, 2, 3, 5},
    {33, 31, 2, 1, 7, 3}, {128, 128, 1, 1, 8, 1}, {4, 8, 33, 17, 3, 5}, {129, 127, 1, 1, 1, 9},
    {96, 4, 2, 33, 5, 3}, {1, 1, 130, 140, 2, 3}, {7, 5, 20, 30, 1, 1}, {3, 64, 50, 3, 11, 13},
    {64, 60, 3, 5, 2, 9}, {8, 4, 40, 36, 1, 33}};
// One of them 0 at a time.
const std::vector<Contraction> empty_contractions = {{0, 3, 4, 5, 2, 3}, {4, 0, 4, 5, 2, 3},
                                                     {4, 3, 0, 5, 2, 3}, {4, 3, 4, 0, 2, 3},
                                                     {4, 3, 4, 5, 0, 3}, {4, 4, 4, 5, 2, 0}};

void show(const Contraction& c) {
  MESSAGE("m u n v h k = " << c.m << " " << c.u << " " << c.n << " " << c.v << " " << c.h << " "
                           << c.k);
}

// Runs one way between guard zones. `shift`: that many floats beyond where cudaMalloc() begins.
void check_way(const Contraction& c, const ContractionVariant& way, const ContractionData& data,
               int shift = 0) {
  const auto shifted = [&](std::vector<float> values) {
    values.insert(values.begin(), shift, 0.0F);
    return values;
  };
  GuardedArray<float> A(shifted(data.A)), B(shifted(data.B));
  GuardedArray<float> C(data.C.empty() ? shifted(std::vector<float>(c.size_of_c()))
                                       : shifted(data.C));
  if (data.C.empty()) C.poison();  // it must not be read then
  way.run(data.alpha(), A.data() + shift, B.data() + shift, data.beta(), C.data() + shift);
  std::vector<float> got = C.to_host();
  got.erase(got.begin(), got.begin() + shift);
  const course::Verdict verdict = data.verify(got, way.rounds);
  CHECK_MESSAGE(verdict.passed, way.name << ": " << verdict.message);
  CHECK(C.intact());
  CHECK(A.intact());
  CHECK(B.intact());
  if (!verdict.passed) show(c);
}

class Handles {
 public:
  Handles() { CUDA_CHECK(cublasCreate(&cublas)); }
  ~Handles() { CUDA_WARN(cublasDestroy(cublas)); }
  Library library;
  cublasHandle_t cublas = nullptr;
};

// The formula itself, index by index, through the strides.
std::vector<double> by_the_formula(const Contraction& c, const std::vector<float>& A,
                                   const std::vector<float>& B) {
  const auto at = [](const Tensor& tensor, const std::vector<std::int64_t>& index) {
    std::int64_t sum = 0;
    for (size_t i = 0; i < index.size(); ++i) sum += index[i] * tensor.strides[i];
    return static_cast<size_t>(sum);
  };
  const Tensor a = c.tensor_a(), b = c.tensor_b(), r = c.tensor_c();
  std::vector<double> C(c.size_of_c());
  for (int m = 0; m < c.m; ++m)
    for (int u = 0; u < c.u; ++u)
      for (int n = 0; n < c.n; ++n)
        for (int v = 0; v < c.v; ++v)
          for (int h = 0; h < c.h; ++h)
            for (int k = 0; k < c.k; ++k)
              C[at(r, {m, u, n, v})] += static_cast<double>(A[at(a, {m, h, k, n})]) *
                                        static_cast<double>(B[at(b, {u, k, v, h})]);
  return C;
}

}  // namespace

TEST_CASE("a packed tensor: the first mode is fastest") {
  CHECK(packed("whcn", {4, 3, 2, 5}).strides == std::vector<std::int64_t>{1, 4, 12, 24});
  const Contraction c{2, 3, 5, 7, 11, 13};
  CHECK(c.tensor_b().strides == std::vector<std::int64_t>{1, 3, 39, 273});
}

TEST_CASE("the CPU's contraction is the formula's") {
  for (const Contraction c :
       {Contraction{2, 3, 5, 7, 4, 3}, {5, 6, 2, 3, 3, 4}, {3, 4, 1, 2, 5, 1}}) {
    const std::vector<float> A = course::exact_vector(c.size_of_a(), c.inner(), 1);
    const std::vector<float> B = course::exact_vector(c.size_of_b(), c.inner(), 2);
    CHECK(contract_on_cpu(c, 1, A, B, 0, {}).values == by_the_formula(c, A, B));
  }
}

TEST_CASE("the check by a vector: right is right, and one wrong element is found") {
  const Contraction c{5, 6, 4, 3, 7, 2};
  const std::vector<float> A = course::exact_vector(c.size_of_a(), c.inner(), 1);
  const std::vector<float> B = course::exact_vector(c.size_of_b(), c.inner(), 2);
  const std::vector<double> values = contract_on_cpu(c, 3, A, B, 0, {}).values;
  std::vector<float> C(values.begin(), values.end());
  CHECK(first_wrong_row(c, 3, A, B, C) == -1);
  // Element (m, u, n, v) = (2, 5, 3, 1) is of row m + 5 n = 17.
  float& one = C[2 + 5 * (5 + 6 * (3 + 4 * 1))];
  const float right = one;
  for (const float wrong : {right + 1, right - 1, right + 0.5F, right + 65536, std::nanf("")}) {
    one = wrong;
    CHECK(first_wrong_row(c, 3, A, B, C) == 17);
  }
  std::swap(one = right, C[0]);
  CHECK(first_wrong_row(c, 3, A, B, C) == 0);
}

TEST_CASE("every way: exact data bit for bit, with C and without") {
  course::device();  // ends the test as skipped where there is none
  const Handles handles;
  for (const Contraction& c : contractions) {
    const ContractionData with_C(c, course::Data::exact, 2.0F, -3.0F);
    const ContractionData without(c, course::Data::exact, -1.0F, 0.0F);
    for (const ContractionVariant& way : variants_of(handles.library, handles.cublas, c)) {
      check_way(c, way, with_C);
      check_way(c, way, without);
    }
  }
}

TEST_CASE("every way: random data within the rounding, random factors") {
  course::device();
  const Handles handles;
  for (const Contraction& c : contractions) {
    const ContractionData data(c, course::Data::random, 0.7F, -1.3F);
    for (const ContractionVariant& way : variants_of(handles.library, handles.cublas, c))
      check_way(c, way, data);
  }
}

TEST_CASE("every way: nothing to compute, and sums of nothing") {
  course::device();
  const Handles handles;
  for (const Contraction& c : empty_contractions) {
    const ContractionData with_C(c, course::Data::exact, 2.0F, -3.0F);
    const ContractionData without(c, course::Data::exact, 2.0F, 0.0F);
    for (const ContractionVariant& way : variants_of(handles.library, handles.cublas, c)) {
      check_way(c, way, with_C);
      check_way(c, way, without);
    }
  }
}

// The library is promised 256 bytes; ours take what comes.
TEST_CASE("ours: addresses that are no multiple of 16") {
  course::device();
  const Handles handles;
  for (const Contraction c : {Contraction{8, 12, 3, 5, 4, 3}, {64, 4, 3, 5, 2, 9}}) {
    const ContractionData data(c, course::Data::exact, 2.0F, -3.0F);
    const std::vector<ContractionVariant> ways = variants_of(handles.library, handles.cublas, c);
    for (const int shift : {1, 2, 3}) {
      for (const ContractionVariant& way : ways) {
        if (way.name == "direct" || way.name == "matrices") check_way(c, way, data, shift);
      }
    }
  }
}

// One plan for tensors in other places, call after call.
TEST_CASE("cuTENSOR: a plan serves any tensors of its extents") {
  course::device();
  const Library library;
  const Contraction c{7, 5, 3, 4, 6, 2};
  for (const WorkspaceLimit limit :
       {WorkspaceLimit::none, WorkspaceLimit::by_default, WorkspaceLimit::most}) {
    CutensorContraction contract(library, c, limit);
    for (const std::uint64_t seed : {1, 2, 3}) {
      const ContractionData data(c, course::Data::exact, 1.0F, 2.0F, seed);
      const ContractionVariant way{"cuTENSOR", [&](auto... arguments) { contract(arguments...); }};
      check_way(c, way, data);
    }
  }
}

TEST_CASE("images: all four operations, ours and the library's") {
  course::device();
  const Library library;
  for (const Images p : {Images{1, 1, 1, 1},
                         {2, 3, 5, 7},
                         {31, 33, 3, 2},
                         {32, 32, 32, 1},
                         {7, 1, 65, 3},
                         {1, 64, 4, 5},
                         {257, 1, 1, 2},
                         {33, 4, 31, 1},
                         {5, 129, 2, 2}}) {
    CAPTURE(p.w);
    CAPTURE(p.h);
    CAPTURE(p.c);
    CAPTURE(p.n);
    const ImageSet set(p);
    GuardedArray<float> A(set.A), bias(set.bias), C(set.C);
    for (const Operation& operation : set.operations(library)) {
      CAPTURE(operation.name);
      const std::vector<double> expected = operation.expected();
      GuardedArray<float> D(expected.size());
      for (const auto& run : {operation.ours, operation.library}) {
        D.poison();
        run({A.data(), bias.data(), C.data(), D.data()});
        const course::Verdict verdict = verify_images(D.to_host(), expected);
        CHECK_MESSAGE(verdict.passed, verdict.message);
        CHECK(D.intact());
      }
    }
  }
}

TEST_CASE("images: ours take none, and channels of no pixels") {
  course::device();
  course::DeviceArray<float> D(12);
  const PictureData data{D, D, D, D};
  for (const Images p : {Images{0, 3, 2, 2}, {3, 0, 2, 2}, {3, 3, 0, 2}, {3, 3, 2, 0}}) {
    launch_permute(p, 1.0F, data);
    launch_add(p, 1.0F, 1.0F, data);
    launch_biased_max(p, 1.0F, 1.0F, 1.0F, data);
  }
  launch_reduce({3, 3, 0, 2}, 1.0F, data);
  for (const float d : D.to_host()) CHECK(std::isnan(d));
  launch_reduce({0, 3, 4, 3}, 1.0F, data);  // sums of nothing are 0
  CHECK(D.to_host() == std::vector<float>(12, 0.0F));
}
