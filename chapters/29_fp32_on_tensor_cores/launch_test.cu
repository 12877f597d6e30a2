#define main chapter_main  // not the main() of the test
#include "fp32_on_tensor_cores.cu"
#undef main

#include <map>

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;
using course::testing::GuardedArray;
using namespace fp32;

namespace {

std::vector<Rung> own_rungs() {
  std::vector<Rung> all = rungs_here();
  all.pop_back();  // cuBLAS
  return all;
}

const Rung& rung_of(const std::vector<Rung>& rungs, const std::string& name) {
  const auto found =
      std::find_if(rungs.begin(), rungs.end(), [&](const Rung& rung) { return rung.name == name; });
  REQUIRE(found != rungs.end());
  return *found;
}

// The largest error of some kernels, for numbers of one kind.
std::map<std::string, float> largest(Kind kind, GemmShape shape,
                                     const std::vector<std::string>& names) {
  const std::vector<Rung> rungs = rungs_here();
  AccuracyProblem problem(kind, shape.m, shape.n, shape.k, 1);
  std::map<std::string, float> all;
  for (const std::string& name : names) {
    all[name] = problem.errors(rung_of(rungs, name).launch).largest;
  }
  return all;
}

}  // namespace

TEST_CASE("the launch functions: shapes of all kinds, nothing touched beside them") {
  course::device();
  for (const Rung& rung : own_rungs()) {
    CAPTURE(rung.name);
    for (const GemmShape& shape : course::testing::few_gemm_shapes({{65, 129, 67}})) {
      course::testing::check_gemm_launch(shape, rung.launch);
    }
  }
}

// More tiles than one down and across, more clusters than the emulator's one, more steps than
// stages; rows that suit the map of C, pairs, and neither.
TEST_CASE("many tiles and many steps") {
  course::device();
  for (const char* name : {"wgmma FP16 x 3", "wgmma FP16 x 3, truncated", "wgmma BF16 x 6"}) {
    const std::vector<Rung> rungs = rungs_here();
    CAPTURE(name);
    for (const GemmShape& shape : {GemmShape{300, 264, 200}, {130, 522, 40}, {140, 259, 40}}) {
      course::testing::check_gemm_launch(shape, rung_of(rungs, name).launch);
    }
  }
  course::testing::check_gemm_launch({140, 260, 300}, launch_groups<Small>);
}

TEST_CASE("matrices that begin anywhere") {
  course::device();
  const course::GemmProblem p = course::make_gemm(course::Data::exact, 40, 72, 40);
  for (const Rung& rung : own_rungs()) {
    CAPTURE(rung.name);
    const auto shifted = [](const course::HostMatrix& values) {
      std::vector<float> all(1, std::nanf(""));
      all.insert(all.end(), values.begin(), values.end());
      return GuardedArray<float>(all);
    };
    const GuardedArray<float> A = shifted(p.A);
    const GuardedArray<float> B = shifted(p.B);
    GuardedArray<float> C(p.m * p.n + 1);
    rung.launch(A.data() + 1, B.data() + 1, C.data() + 1, 40, 72, 40);
    std::vector<float> result = C.to_host();
    CHECK(C.intact());
    result.erase(result.begin());
    const course::Verdict verdict = course::verify(result, p);
    CHECK_MESSAGE(verdict.passed, verdict.message);
  }
}

TEST_CASE("small products stay in plain FP32, large ones do not") {
  course::device();
  if (!has_wgmma()) return;
  CHECK_FALSE(Gemm::pays(64, 64, 64));
  CHECK_FALSE(Gemm::pays(0, 5, 5));
  CHECK_FALSE(Gemm::pays(100'000, 1, 4096));
  CHECK(Gemm::pays(8192, 8192, 8192));
}

// The page's claim, in small.
TEST_CASE("accuracy: FP32's, for these numbers") {
  course::device();
  for (const Kind kind : {Kind::normal, Kind::uniform, Kind::positive, Kind::cancelling,
                          Kind::lines, Kind::exponents, Kind::zero_sums}) {
    CAPTURE(static_cast<int>(kind));
    const float bound = kind == Kind::positive || kind == Kind::exponents ? 9.0F : 2.0F;
    for (const auto& [name, error] :
         largest(kind, {32, 64, 512}, {"BF16 x 6", "FP16 x 3", "wgmma FP16 x 3"})) {
      CAPTURE(name);
      CHECK(error <= bound);
    }
  }
}

TEST_CASE("accuracy: what is lost without corrections, without promotion, without scaling") {
  course::device();
  const GemmShape shape = {32, 64, 512};
  auto errors = largest(Kind::normal, shape, {"TF32", "BF16 x 3", "FP16 x 3"});
  CHECK(errors["TF32"] > 500 * errors["FP16 x 3"]);
  CHECK(errors["BF16 x 3"] > 10 * errors["FP16 x 3"]);
  errors =
      largest(Kind::positive, shape,
              {"TF32 x 3, truncated", "TF32 x 3", "wgmma FP16 x 3, truncated", "wgmma FP16 x 3"});
  CHECK(errors["TF32 x 3, truncated"] > 5 * errors["TF32 x 3"]);
  CHECK(errors["wgmma FP16 x 3, truncated"] > 10 * errors["wgmma FP16 x 3"]);
  errors = largest(Kind::lines, shape, {"FP16 x 3, unscaled"});
  CHECK_FALSE(errors["FP16 x 3, unscaled"] < 1000);
  errors = largest(Kind::terms, shape, {"FP16 x 3", "BF16 x 6"});  // no scaling of lines helps
  CHECK(errors["FP16 x 3"] > 1000);
  CHECK(errors["BF16 x 6"] < 2);
}

TEST_CASE("sums of INT8 that could overflow are refused") {
  course::device();
  const auto launch = launch_warps<Scheme<Int8, 4, 3, 0>>;
  CHECK_THROWS_AS(launch(nullptr, nullptr, nullptr, 1, 1, 1 << 17), course::Error);
}
