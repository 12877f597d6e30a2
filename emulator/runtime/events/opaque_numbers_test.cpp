// Numbers that the host's code may move and not know.

#include "events/opaque_numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

using namespace emulator::events;

namespace {

struct Forgotten {
  ~Forgotten() { forget_opaque_numbers(); }
};

std::vector<float> some_numbers(std::size_t count) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i % 7) - 3.0F;
  return numbers;
}

}  // namespace

TEST_CASE("opaque numbers: tokens in any order become the numbers again, and equal ones differ") {
  const Forgotten at_end;
  const std::vector<float> numbers = some_numbers(1000);
  std::vector<float> tokens = numbers;
  REQUIRE(make_opaque(tokens.data(), tokens.size() * sizeof(float)));
  CHECK(has_opaque_numbers());
  std::vector<float> sorted = tokens;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  std::vector<float> moved(tokens.rbegin(), tokens.rend());
  moved.insert(moved.end(), tokens.begin(), tokens.end());
  reveal_numbers(moved.data(), moved.size() * sizeof(float));
  CHECK(std::equal(numbers.rbegin(), numbers.rend(), moved.begin()));
  CHECK(std::equal(numbers.begin(), numbers.end(), moved.begin() + 1000));
}

TEST_CASE("opaque numbers: what was computed from tokens, or of an earlier call, is no number") {
  const Forgotten at_end;
  std::vector<float> tokens(1, 5.0F);
  REQUIRE(make_opaque(tokens.data(), sizeof(float)));
  float twice = 2 * tokens[0];
  reveal_numbers(&twice, sizeof twice);
  CHECK(twice != 10.0F);
  forget_opaque_numbers();
  float late = tokens[0];
  reveal_numbers(&late, sizeof late);
  CHECK(late == tokens[0]);
}

TEST_CASE("opaque numbers: usual words are no tokens, however many there are") {
  const Forgotten at_end;
  std::vector<float> many(most_opaque_numbers, 1e30F);
  REQUIRE(make_opaque(many.data(), many.size() * sizeof(float)));
  float one_more = 1;
  CHECK_FALSE(make_opaque(&one_more, sizeof one_more));
  std::vector<float> usual;
  for (int i = -4096; i <= 4096; ++i) {
    for (const float part : {1.0F, 0.5F, 0.25F, 0.1F})
      usual.push_back(static_cast<float>(i) * part);
    usual.push_back(std::bit_cast<float>(i));
  }
  std::vector<float> seen = usual;
  reveal_numbers(seen.data(), seen.size() * sizeof(float));
  CHECK(std::memcmp(seen.data(), usual.data(), seen.size() * sizeof(float)) == 0);
}

TEST_CASE("opaque numbers: of a launch's arguments the pointers stay") {
  const Forgotten at_end;
  std::vector<float> tokens{7.0F, 8.0F};
  REQUIRE(make_opaque(tokens.data(), 2 * sizeof(float)));
  struct alignas(8) {
    float a;
    int count;
    std::uint64_t pointer;
    float b;
  } arguments{tokens[0], 5, (std::uint64_t{0x2000} << 32) | std::bit_cast<std::uint32_t>(tokens[1]),
              tokens[1]};
  const std::uint64_t pointer = arguments.pointer;
  reveal_arguments(&arguments, sizeof arguments);
  CHECK(arguments.a == 7.0F);
  CHECK(arguments.count == 5);
  CHECK(arguments.pointer == pointer);
  CHECK(arguments.b == 8.0F);
}
