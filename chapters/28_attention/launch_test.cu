#define main chapter_main  // not the main() of the test
#include "attention.cu"
#undef main

#include <doctest/doctest.h>

using namespace attention;

namespace {

// Around tiles of 16, 64, 80, 128 and 176; ragged ends, more keys than queries and fewer.
const std::vector<Shape> shapes = {
    {1, 1, 1, 1, 1},     {1, 2, 2, 3, 2},     {2, 2, 1, 31, 33},  {1, 3, 3, 64, 64},
    {1, 1, 1, 127, 257}, {1, 4, 2, 257, 127}, {1, 2, 1, 130, 80}, {1, 1, 1, 193, 353},
    {2, 1, 1, 65, 300},  {1, 2, 2, 200, 1},
};

void check(const Case& one, Data& data) {
  CAPTURE(one.name);
  data.poison();
  one.launch(data.problem);
  const course::Verdict verdict = verdict_of(data);
  CHECK_MESSAGE(verdict.passed, verdict.message);
}

template <int size>
void check_shapes(bool causal) {
  for (Shape shape : shapes) {
    shape.size = size;
    shape.causal = causal;
    CAPTURE(shape.queries);
    CAPTURE(shape.keys);
    Data data(shape, 7);
    for (const Case& one : rungs<size>()) check(one, data);
  }
}

}  // namespace

TEST_CASE("every kernel at shapes of all kinds: heads of 64") {
  course::device();  // ends the test as skipped where there is none
  check_shapes<64>(false);
  check_shapes<64>(true);
}

TEST_CASE("every kernel at shapes of all kinds: heads of 128") {
  course::device();
  check_shapes<128>(false);
  check_shapes<128>(true);
}

TEST_CASE("heads of 256") {
  course::device();
  if (!has_wgmma()) return;
  for (const bool causal : {false, true}) {
    Data data({1, 2, 1, 150, 170, 256, causal}, 3);
    check({"ours", launch_attention<256>}, data);
  }
}

// Whoever splits a head's keys: with one part per head, with parts of no key, and with heads that
// share keys.
TEST_CASE("decode: one query per sequence") {
  course::device();
  for (const auto& [kv_heads, keys] :
       std::vector<std::pair<int, int>>{{8, 1}, {8, 257}, {4, 100}, {2, 777}, {1, 1000}}) {
    for (const int splits : {0, 1, 3, 5}) {
      CAPTURE(kv_heads);
      CAPTURE(keys);
      CAPTURE(splits);
      Data wide({2, 8, kv_heads, 1, keys, 128}, 5);
      check({"decode", [=](const Problem& p) { launch_decode<128>(p, splits); }}, wide);
      Data narrow({1, 8, kv_heads, 1, keys, 64, true}, 5);
      check({"decode", [=](const Problem& p) { launch_decode<64>(p, splits); }}, narrow);
    }
  }
}

// More tiles than blocks that stay: each takes several, in bands of heads.
TEST_CASE("persistent blocks, and a counter that ends as it began") {
  course::device();
  if (!has_wgmma()) return;
  const int heads = course::on_emulator ? 9 : 300;
  for (const bool causal : {false, true}) {
    Data data({1, heads, heads, 300, 40, 64, causal}, 3);
    using Small = Tile<64, 2, 64, 2>;
    for (const int band : {1, 2, 100}) {
      CAPTURE(band);
      check({"persistent", [=](const Problem& p) { launch_groups<Small>(p, true, band); }}, data);
    }
    unsigned counter = 1;
    CUDA_CHECK(cudaMemcpy(&counter, tile_counter(), sizeof counter, cudaMemcpyDeviceToHost));
    CHECK(counter == 0);
  }
}

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Every kernel, with some numbers replaced by `replace`.
void check_special(
    bool causal, const std::function<void(HostInputs&)>& replace,
    const std::function<void(const std::vector<Bf16>&, const std::vector<float>&)>& check_results) {
  Data data({1, 1, 1, 70, 200, 64, causal}, 11);
  replace(data.host);
  data.Q.copy_from(data.host.Q);
  data.K.copy_from(data.host.K);
  data.V.copy_from(data.host.V);
  for (const Case& one : rungs<64>()) {
    CAPTURE(one.name);
    data.poison();
    one.launch(data.problem);
    check_results(data.O.to_host(), data.logs.to_host());
  }
}

}  // namespace

TEST_CASE("a NaN in a query is its row's, and no other's") {
  course::device();
  check_special(
      false, [](HostInputs& in) { in.Q[5 * 64 + 3] = __float2bfloat16(std::nanf("")); },
      [](const std::vector<Bf16>& O, const std::vector<float>& logs) {
        for (int row = 0; row < 70; ++row) {
          CHECK(std::isnan(logs[row]) == (row == 5));
          for (int x = 0; x < 64; ++x)
            CHECK(std::isnan(course::as_double(O[row * 64 + x])) == (row == 5));
        }
      });
}

// Key 150 is seen from query 20 on.
TEST_CASE("a NaN in a key is that of all queries that see it") {
  course::device();
  check_special(
      true, [](HostInputs& in) { in.K[150 * 64 + 9] = __float2bfloat16(std::nanf("")); },
      [](const std::vector<Bf16>& O, const std::vector<float>& logs) {
        for (int row = 0; row < 70; ++row) {
          CHECK(std::isnan(logs[row]) == (row >= 20));
          CHECK(std::isnan(course::as_double(O[row * 64])) == (row >= 20));
        }
      });
}

// Scores of minus infinity: no NaN, whether some keys of a query have them or all.
TEST_CASE("scores of minus infinity") {
  course::device();
  const auto make_positive = [](HostInputs& in) {
    for (int row = 0; row < 70; ++row) in.Q[row * 64] = __float2bfloat16(1.0F);
  };
  check_special(
      false,
      [=](HostInputs& in) {
        make_positive(in);
        for (int key = 0; key < 200; key += 3) in.K[key * 64] = __float2bfloat16(-infinity);
      },
      [](const std::vector<Bf16>& O, const std::vector<float>& logs) {
        for (int row = 0; row < 70; ++row) {
          CHECK(std::isfinite(logs[row]));
          CHECK(std::isfinite(course::as_double(O[row * 64])));
        }
      });
  check_special(
      false,
      [=](HostInputs& in) {
        make_positive(in);
        for (int key = 0; key < 200; ++key) in.K[key * 64] = __float2bfloat16(-infinity);
      },
      [](const std::vector<Bf16>& O, const std::vector<float>& logs) {
        for (int row = 0; row < 70; ++row) {
          CHECK(logs[row] == -infinity);
          CHECK(course::as_double(O[row * 64]) == 0.0);
        }
      });
}

// Scores far from 0: powers relative to no maximum would all be infinite, or 0.
TEST_CASE("large scores") {
  course::device();
  for (const float offset : {-40.0F, 40.0F}) {
    CAPTURE(offset);
    Data data({1, 1, 1, 66, 190, 64}, 13);
    for (int row = 0; row < 66; ++row) data.host.Q[row * 64] = __float2bfloat16(64.0F);
    for (int key = 0; key < 190; ++key) data.host.K[key * 64] = __float2bfloat16(offset);
    data.Q.copy_from(data.host.Q);
    data.K.copy_from(data.host.K);
    for (const Case& one : rungs<64>()) check(one, data);
  }
}

TEST_CASE("no heads, no queries, no keys") {
  course::device();
  for (const Shape& shape : {Shape{0, 2, 2, 5, 5, 64}, Shape{1, 2, 2, 0, 5, 64}}) {
    Data data(shape, 1);
    for (const Case& one : rungs<64>()) one.launch(data.problem);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  Data data({1, 2, 2, 70, 0, 64}, 1);
  for (const Case& one : rungs<64>()) check(one, data);
  Data single({1, 2, 2, 1, 0, 64}, 1);
  check({"decode", [](const Problem& p) { launch_decode<64>(p); }}, single);
}

TEST_CASE("no logarithms wanted") {
  course::device();
  Data data({1, 1, 1, 40, 50, 64}, 2);
  for (const Case& one : rungs<64>()) {
    CAPTURE(one.name);
    data.poison();
    Problem without = data.problem;
    without.logs = nullptr;
    one.launch(without);
    CHECK(data.errors().largest <= tolerance);
    CHECK(std::isnan(data.logs.to_host()[0]));  // still poisoned
  }
}

TEST_CASE("decode refuses several queries, and groups that it has no kernel for") {
  course::device();
  Data data({1, 3, 1, 2, 4, 64}, 2);
  CHECK_THROWS_AS(launch_decode<64>(data.problem), course::Error);
  data.problem.queries = 1;
  CHECK_THROWS_AS(launch_decode<64>(data.problem), course::Error);
}
