#define main chapter_main  // not the main() of the test
#include "gemm_pipeline.cu"
#undef main

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;

TEST_CASE("the launch functions: shapes of all kinds, nothing touched beside them") {
  course::device();
  for (const course::GemmRung& kernel : kernels_here()) {
    CAPTURE(kernel.name);
    if (kernel.name == "cuBLAS") continue;
    for (const GemmShape& shape : course::testing::few_gemm_shapes(
             {{257, 129, 33}, {300, 132, 36}, {1, 700, 5}, {700, 1, 5}})) {
      course::testing::check_gemm_launch(shape, kernel.launch);
    }
  }
}

TEST_CASE("beyond the edge of k everything is 0, in A's tile and in B's") {
  for (const course::GemmRung& kernel : kernels_here()) {
    CAPTURE(kernel.name);
    if (kernel.name == "cuBLAS") continue;
    course::testing::check_gemm_edge_of_k(kernel.launch);
  }
}

TEST_CASE("Strassen: bit for bit where sums are exact, and elsewhere a bound") {
  course::device();
  for (const GemmShape& shape :
       {GemmShape{1, 1, 1}, {2, 2, 2}, {33, 31, 32}, {127, 3, 257}, {5, 7, 0}, {130, 140, 70}}) {
    course::testing::check_gemm_launch(shape, launch_strassen);
  }
  const course::GemmProblem problem = course::make_gemm(course::Data::random, 200, 150, 300, 7);
  const course::DeviceArray<float> A(problem.A);
  const course::DeviceArray<float> B(problem.B);
  course::DeviceArray<float> C(problem.m * problem.n);
  launch_strassen(A, B, C, 200, 150, 300);
  std::vector<float> result = C.to_host();
  CHECK(verify_strassen(result, problem).passed);
  result[777] += 1.0F;
  CHECK_FALSE(verify_strassen(result, problem).passed);
  result[777] = std::nanf("");
  CHECK_FALSE(verify_strassen(result, problem).passed);
}

// A product with rows that are further apart than they are long, matrices that begin anywhere, and
// alpha and beta. What is between the rows of C must stay.
void check_general(Algorithm algorithm, ours::Sgemm& sgemm, GemmShape shape, int shift, int gap,
                   Decomposition decomposition = Decomposition::stream_k) {
  const auto [m, n, k] = shape;
  CAPTURE(static_cast<int>(algorithm));
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(shift);
  const int lda = k + gap;
  const int ldb = n + gap;
  const int ldc = n + gap;
  const auto values = [&](int count, int salt) {
    std::vector<float> all(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      all[static_cast<std::size_t>(i)] = static_cast<float>((i * 7 + i / 5 + salt) % 9 - 4);
    }
    return all;
  };
  const std::vector<float> a = values(m * lda + shift, 1);
  const std::vector<float> b = values(k * ldb + shift, 2);
  const std::vector<float> c = values(m * ldc + shift, 3);
  const course::DeviceArray<float> A(a);
  const course::DeviceArray<float> B(b);
  course::DeviceArray<float> C(c);
  sgemm.run(algorithm, {m, n, k, A + shift, lda, B + shift, ldb, C + shift, ldc, 2.0F, -3.0F},
            decomposition);
  const std::vector<float> result = C.to_host();
  std::size_t wrong = 0;
  for (int i = 0; i < shift; ++i) wrong += result[i] != c[i];
  for (int y = 0; y < m; ++y) {
    for (int x = 0; x < ldc; ++x) {
      const std::size_t at = static_cast<std::size_t>(shift + y * ldc + x);
      float expected = c[at];
      if (x < n) {
        float sum = 0.0F;  // small whole numbers: exact in any order
        for (int p = 0; p < k; ++p) {
          sum += a[static_cast<std::size_t>(shift + y * lda + p)] *
                 b[static_cast<std::size_t>(shift + p * ldb + x)];
        }
        expected = 2.0F * sum - 3.0F * c[at];
      }
      wrong += result[at] != expected;
    }
  }
  CHECK(wrong == 0);
}

std::vector<Algorithm> algorithms() {
  if (!ours::has_bulk_copies()) return {Algorithm::ahead, Algorithm::many, Algorithm::thin};
  return {Algorithm::ahead,  Algorithm::large, Algorithm::packed, Algorithm::pair,
          Algorithm::narrow, Algorithm::flat,  Algorithm::many,   Algorithm::thin};
}

TEST_CASE("alpha, beta, rows with gaps, matrices that begin anywhere") {
  course::device();
  ours::Sgemm sgemm(3);
  for (const Algorithm algorithm : algorithms()) {
    check_general(algorithm, sgemm, {70, 90, 50}, 0, 0);
    check_general(algorithm, sgemm, {66, 160, 40}, 0, 0);  // rows that begin on lines
    check_general(algorithm, sgemm, {260, 140, 70}, 0, 4);
    check_general(algorithm, sgemm, {65, 130, 33}, 1, 3);
    check_general(algorithm, sgemm, {70, 90, 39}, 2, 1);
    check_general(algorithm, sgemm, {70, 90, 3}, 3, 1);
  }
}

// Few rows, few columns, few of both; terms of one piece and of several.
TEST_CASE("a C that is thin") {
  course::device();
  for (const int processors : {1, 13}) {
    CAPTURE(processors);
    ours::Sgemm sgemm(processors);
    for (const GemmShape& shape : {GemmShape{1, 1, 1},
                                   {1, 300, 700},
                                   {3, 200, 1000},
                                   {8, 33, 300},
                                   {300, 1, 700},
                                   {77, 5, 900},
                                   {5, 3, 40},
                                   {2, 4, 0}}) {
      check_general(Algorithm::thin, sgemm, shape, 0, 0);
      check_general(Algorithm::thin, sgemm, shape, 1, 3);
    }
  }
}

// So many blocks for a tile that their sums are added up by several groups of threads.
TEST_CASE("few tiles and many terms") {
  course::device();
  ours::Sgemm sgemm(25);
  const auto sharing = [&](int m, int n, int k) {
    return sgemm.best_of_many({m, n, k, nullptr, k, nullptr, n, nullptr, n, 1.0F, 0.0F}).sharing;
  };
  CHECK(sharing(33, 40, 3001) > 32);
  check_general(Algorithm::many, sgemm, {33, 40, 3001}, 0, 0, Decomposition::by_model);
  check_general(Algorithm::many, sgemm, {33, 40, 3001}, 1, 2, Decomposition::by_model);
}

// Few multiprocessors: whole rounds, shared tiles, tiles that three blocks share. With as many as
// there are tiles, nothing is shared.
TEST_CASE("stream-k with any number of blocks") {
  course::device();
  if (!ours::has_bulk_copies()) return;
  for (const int processors : {1, 2, 3, 5, 7, 13}) {
    CAPTURE(processors);
    ours::Sgemm sgemm(processors);
    for (const Algorithm algorithm :
         {Algorithm::large, Algorithm::packed, Algorithm::pair, Algorithm::many}) {
      check_general(algorithm, sgemm, {300, 300, 100}, 0, 0);
      check_general(algorithm, sgemm, {20, 30, 200}, 0, 0);
      check_general(algorithm, sgemm, {20, 30, 200}, 0, 0);  // counters are 0 again
    }
    for (const Algorithm algorithm : {Algorithm::large, Algorithm::pair, Algorithm::many}) {
      check_general(algorithm, sgemm, {300, 300, 40}, 0, 0, Decomposition::persistent);
    }
  }
  ours::Sgemm sgemm(3);
  check_general(Algorithm::large, sgemm, {300, 300, 40}, 0, 0, Decomposition::data_parallel);
}

// Sharing costs rounds of adding up. Where it saves less, blocks do not share.
TEST_CASE("what the model expects: who shares") {
  const ours::Extents tile = {256, 128, 32, false};
  const auto sharing = [&](int down, int across, int k) {
    return ours::estimate(ours::costs::large.aligned, tile, 256 * down, 128 * across, k, 132)
        .sharing;
  };
  CHECK(sharing(8, 16, 2048) == 0);     // 128 tiles for 132 multiprocessors: not worth it
  CHECK(sharing(11, 12, 4096) == 0);    // 132
  CHECK(sharing(11, 13, 4096) == 132);  // 143: else there would be a second round of 11
  CHECK(sharing(11, 13, 20) == 0);      // of one step each: nothing can be shared
  CHECK(sharing(4, 8, 4096) == 128);    // 32 tiles: four blocks each, and four idle
  CHECK(sharing(5, 7, 40000) == 132);   // 35: three each would leave 27 idle for long
}

// Many small blocks: as many for a tile as give each multiprocessor equally many.
TEST_CASE("what the model expects: how many small blocks for a tile") {
  const ours::Extents tile = {64, 64, 16, false, 4};
  const auto blocks = [&](int down, int across, int k, double places = 2000) {
    const ours::ManyCosts& costs = ours::costs::many[0][0];
    return ours::estimate_many(costs, tile, 64 * down, 64 * across, k, 132, places).sharing;
  };
  CHECK(blocks(12, 11, 512) == 1);       // 132 tiles, one for each multiprocessor
  CHECK(blocks(100, 100, 512) == 1);     // enough that it does not matter
  CHECK(blocks(5, 5, 17000) % 5 == 1);   // 25 tiles: 5 blocks each leave 7 idle, 21 leave 3 of 528
  CHECK(blocks(5, 5, 17000, 200) <= 8);  // there is room for the sums of 200 blocks
  CHECK(blocks(1, 1, 16) == 1);          // one step: nothing can be shared
  CHECK(blocks(1, 1, 1000000) > 500);    // nearly as many as are resident
}

// Few tiles, and as many blocks as can be had in equal numbers for each.
TEST_CASE("each tile shared by equally many blocks") {
  course::device();
  if (!ours::has_bulk_copies()) return;
  for (const int processors : {5, 9, 25}) {
    CAPTURE(processors);
    ours::Sgemm sgemm(processors);
    for (const Algorithm algorithm : algorithms())
      check_general(algorithm, sgemm, {200, 100, 900}, 0, 0, Decomposition::by_model);
  }
}

// Sums of floats depend on their order. Whichever block ends last, it is the same.
TEST_CASE("the same bits every time") {
  course::device();
  ours::Sgemm sgemm(5);
  const course::GemmProblem problem = course::make_gemm(course::Data::random, 200, 150, 300, 7);
  const course::DeviceArray<float> A(problem.A);
  const course::DeviceArray<float> B(problem.B);
  course::DeviceArray<float> C(problem.m * problem.n);
  for (const Algorithm algorithm : algorithms()) {
    const Product g = plain(A, B, C, 200, 150, 300);
    sgemm.run(algorithm, g, Decomposition::stream_k);
    const std::vector<float> first = C.to_host();
    CHECK(course::verify(first, problem).passed);
    for (int again = 0; again < 2; ++again) {
      C.poison();
      sgemm.run(algorithm, g, Decomposition::stream_k);
      CHECK(C.to_host() == first);
    }
  }
}

// Every step of every tile is in one block's piece: no step twice, and none left out.
TEST_CASE("a plan's pieces: a step has one owner") {
  for (const int blocks : {1, 2, 3, 7, 132}) {
    for (const int tiles : {1, 2, 5, 131, 263}) {
      for (const int steps : {1, 3, 16}) {
        const std::int64_t all = std::int64_t{tiles} * steps;
        if (all < blocks) continue;
        for (std::int64_t step = 0; step < all; ++step) {
          const std::int64_t owner = ((step + 1) * blocks - 1) / all;
          REQUIRE(all * owner / blocks <= step);
          REQUIRE(step < all * (owner + 1) / blocks);
        }
      }
    }
  }
}

// The model's rules, for the GPU whose figures it has.
TEST_CASE("the choice") {
  course::device();
  if (!ours::has_bulk_copies()) return;
  const ours::Sgemm sgemm(132);
  const auto choice = [&](int m, int n, int k) {
    alignas(128) static float nothing[4];
    return sgemm.choose(plain(nothing, nothing, nothing, m, n, k));
  };
  CHECK(choice(8192, 8192, 8192) == Algorithm::packed);
  CHECK(choice(8192, 512, 8192) == Algorithm::large);
  CHECK(choice(1024, 1024, 1024) == Algorithm::flat);
  CHECK(choice(100000, 64, 512) == Algorithm::narrow);
  CHECK(choice(64, 100000, 512) == Algorithm::flat);
  CHECK(choice(10000, 20, 18000) == Algorithm::many);
  CHECK(choice(4000, 2700, 48) == Algorithm::many);
  CHECK(choice(5741, 4796, 708) == Algorithm::packed);
  CHECK(choice(1, 4096, 4096) == Algorithm::thin);
}
