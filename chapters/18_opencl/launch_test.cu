#define main chapter_main  // not the main() of the test
#include "opencl.cu"
#undef main

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;

namespace {

// The first device that OpenCL finds; a test without one is skipped.
OpenClProducts& products(const BuildOptions& defines) {
  static std::map<int, std::unique_ptr<OpenClProducts>> all;
  std::unique_ptr<OpenClProducts>& made = all[1000 * defines.sub_size + defines.wpt];
  if (!made) {
    const auto place = choose(all_devices(), "");
    if (!place) {
      std::puts("SKIPPED: OpenCL finds no platform");
      std::exit(77);
    }
    made = std::make_unique<OpenClProducts>(*place, defines, ProgramOptions().kernels);
  }
  return *made;
}

// Every bit of C, and that A and B are as they were. OpenCL's buffers have no guard zones: what is
// written beside C is Oclgrind's to find.
void check_opencl(const Rung& rung, const BuildOptions& defines, const GemmShape& shape) {
  CAPTURE(rung.name);
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  OpenClProducts& device = products(defines);
  const GemmProblem problem =
      course::make_gemm(Data::exact, static_cast<size_t>(shape.m), static_cast<size_t>(shape.n),
                        static_cast<size_t>(shape.k));
  const Matrices matrices = matrices_of(device, problem);
  launch(device, rung, matrices);
  const course::Verdict verdict = course::verify(device.to_host(matrices), problem);
  CHECK_MESSAGE(verdict.passed, verdict.message);
}

}  // namespace

TEST_CASE("the kernels in OpenCL: shapes of all kinds") {
  const BuildOptions defines;
  std::vector<GemmShape> shapes = course::testing::mixed_gemm_shapes();
  shapes.insert(shapes.end(), {{0, 0, 0},
                               {0, 5, 7},
                               {5, 0, 7},
                               {5, 7, 0},
                               {40, 70, 0},
                               {1, 1, 401},
                               {1, 401, 1},
                               {401, 1, 1},
                               {132, 260, 12},
                               {128, 128, 8},
                               {129, 256, 20}});
  for (const Rung& rung : rungs(defines)) {
    for (const GemmShape& shape : shapes) check_opencl(rung, defines, shape);
  }
}

// The same source, built with other numbers: no work-group is too small.
TEST_CASE("the kernels in OpenCL: other sub-matrices, other work") {
  for (const BuildOptions defines : {BuildOptions{16, 8}, {12, 3}, {1, 1}}) {
    CAPTURE(defines.sub_size);
    CAPTURE(defines.wpt);
    for (const GemmShape& shape : {GemmShape{33, 17, 65}, {1, 2, 3}, {16, 16, 16}}) {
      check_opencl(rungs(defines)[1], defines, shape);
      check_opencl(rungs(defines)[2], defines, shape);
    }
  }
}

// An infinity shows what is added up beyond an edge, though it should be 0: 0 times it is not a
// number. It is where the tile before may have left it, or where the next row begins.
TEST_CASE("the kernels in OpenCL: sub-matrices are 0 beyond the edge") {
  const BuildOptions defines;
  const float infinity = std::numeric_limits<float>::infinity();
  for (const size_t k : {33, 35, 65, 68}) {
    for (const size_t place : {size_t{5}, 7 * k, 7 * k + 5}) {
      const bool in_A = place != 5;
      GemmProblem problem = course::make_gemm(Data::exact, 40, 48, k);
      (in_A ? problem.A.data()[place] : problem.B.data()[place * 48 + 7]) = infinity;
      const Matrices matrices = matrices_of(products(defines), problem);
      for (const Rung& rung : rungs(defines)) {
        CAPTURE(rung.name);
        CAPTURE(k);
        CAPTURE(place);
        products(defines).poison(matrices);
        launch(products(defines), rung, matrices);
        const std::vector<float> C = products(defines).to_host(matrices);
        int wrong = 0;
        for (size_t i = 0; i < C.size(); ++i) {
          const bool infinite = (in_A ? i / 48 : i % 48) == 7;
          wrong += infinite ? !std::isinf(C[i]) : C[i] != static_cast<float>(problem.reference[i]);
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("the twins in CUDA: shapes of all kinds, nothing touched beside them") {
  for (const BuildOptions defines : {BuildOptions{32, 8}, {16, 8}}) {
    for (const auto& [name, launch] : twins(defines)) {
      CAPTURE(name);
      if (defines.sub_size == 16 && (name == "naive" || name == "8 x 8")) continue;
      course::testing::check_gemm_launcher(launch);
      course::testing::check_gemm_edge_of_k(launch);
    }
  }
}

TEST_CASE("a matrix higher than a grid") {
  course::device();
  course::testing::check_gemm_launch({16 * 65535 + 40, 1, 2}, twin::launch_naive);
}
