#include "observers/reports/advice.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "observers/reports/hand_made_traffic.hpp"

namespace {

using namespace hand_made;
using emulator::reports::advice;
using emulator::reports::Pattern;
using emulator::reports::recognise;

// The only sentence about a kernel that does nothing else; empty if there is none.
std::string advice_on(std::vector<InstructionTraffic> instructions, dim3 block = dim3(128)) {
  const auto sentences =
      advice(kernel("k", {line("k.cu", 7, std::move(instructions))}, block), "k.cu");
  CHECK(sentences.size() <= 1);
  return sentences.empty() ? "" : sentences[0];
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("not in: " << text);
  return found;
}

}  // namespace

TEST_CASE("advice: nothing to say about what is ideal") {
  const auto silent = [](const InstructionTraffic& instruction, dim3 block = dim3(128)) {
    return advice_on({instruction}, block).empty();
  };
  CHECK(silent(load(4, [](unsigned lane) { return 4 * lane; })));         // unit stride
  CHECK(silent(load(16, [](unsigned lane) { return 16 * lane; })));       // float4
  CHECK(silent(load(4, [](unsigned) { return 400; })));                   // broadcast
  CHECK(silent(load(4, [](unsigned lane) { return 4 * (lane ^ 5U); })));  // a permutation
  CHECK(silent(load(4, [](unsigned lane) { return 4 * (31 - lane); })));  // descending
  CHECK(silent(load(4, [](unsigned lane) { return lane % 16 * 4 + lane / 16 * 4096; }),
               dim3(16, 16)));  // rows of 16 lanes
  CHECK(silent(load(4, [](unsigned lane) { return lane % 8 * 4 + lane / 8 * 4096; }), dim3(8, 8)));
  CHECK(silent(load(
      4, [](unsigned lane) { return 4 * lane; }, 0x7)));  // a tail
  CHECK(silent(load(
      4, [](unsigned) { return 8192; }, 0x1)));  // one lane
  CHECK(silent(shared_load(4, [](unsigned lane) { return 4 * lane; })));
  CHECK(silent(shared_load(4, [](unsigned) { return 64; })));
  CHECK(silent(shared_load(4, [](unsigned lane) { return 12 * lane; })));   // odd stride
  CHECK(silent(shared_load(4, [](unsigned lane) { return 132 * lane; })));  // padded column
  CHECK(silent(shared_load(16, [](unsigned lane) { return 16 * lane; })));
  CHECK(silent(shared_load(8, [](unsigned lane) { return 24 * lane; })));
}

TEST_CASE("advice: a stride") {
  const auto two = load(4, [](unsigned lane) { return 8 * lane; });
  CHECK(recognise(two, 128).pattern == Pattern::stride);
  CHECK(recognise(two, 128).stride == 8);
  CHECK(
      advice_on({two}) ==
      "line 7: neighbouring lanes load elements that are 8 bytes (2 elements) apart: 8 sectors per "
      "request where 4 would do, and 50 % of the bytes fetched are used; let neighbouring lanes "
      "take neighbouring elements.");
  // In either direction, and in a warp that is not full.
  CHECK(has(advice_on({load(4, [](unsigned lane) { return 4096 - 8 * lane; })}), "are 8 bytes"));
  CHECK(has(advice_on({load(
                4, [](unsigned lane) { return 8 * lane; }, 0x1FF)}),
            "are 8 bytes"));
  // Half an element cannot be said in elements.
  CHECK(has(advice_on({load(8, [](unsigned lane) { return 12 * lane; })}), "are 12 bytes apart"));
  const auto store =
      instruction(InstructionKind::global_store, 4, [](unsigned lane) { return 64 * lane; });
  CHECK(has(advice_on({store}), "neighbouring lanes store elements that are 64 bytes"));
  CHECK(has(advice_on({store}), "12.5 % of these sectors' bytes are written"));
}

TEST_CASE("advice: down a column") {
  const auto column = load(4, [](unsigned lane) { return 4096 * lane; });
  CHECK(advice_on({column}) ==
        "line 7: neighbouring lanes load elements that are 4096 bytes (1024 elements) apart: 32 "
        "sectors per request where 4 would do, and 12.5 % of the bytes fetched are used; let "
        "threadIdx.x run along contiguous memory, or go through a tile in shared memory.");
  CHECK(has(advice_on({load(4, [](unsigned lane) { return 128 * lane; })}),
            "a tile in shared memory"));
  CHECK(has(advice_on({load(4, [](unsigned lane) { return 124 * lane; })}), "are 124 bytes"));
  // A block of 16 x 16 threads: two rows of lanes, side by side or the same.
  const auto swapped = load(4, [](unsigned lane) { return 4096 * (lane % 16) + 4 * (lane / 16); });
  CHECK(recognise(swapped, 16).row_lanes == 16);
  CHECK(recognise(swapped, 16).row_stride == 4);
  CHECK(has(advice_on({swapped}, dim3(16, 16)), "a tile in shared memory"));
  // A block 21 wide: a warp begins and ends within a row.
  auto odd = load(4, [](unsigned lane) {
    const unsigned thread = 32 + lane;
    return 256 * (thread % 21) + 16384 * (thread / 21);
  });
  odd.example.warp = 1;
  CHECK(recognise(odd, 21).pattern == Pattern::stride);
  CHECK(recognise(odd, 21).stride == 256);
  CHECK(recognise(odd, 128).pattern == Pattern::irregular);
}

TEST_CASE("advice: an array of structures") {
  const auto member = [](unsigned bytes, unsigned place) {
    return load(4, [=](unsigned lane) { return bytes * lane + place; });
  };
  const std::string text = advice_on({member(12, 0), member(12, 4), member(12, 8)});
  CHECK(has(text, "line 7: an array of structures of 12 bytes, one member per request"));
  CHECK(has(text, "12 sectors per request where 4 would do, and 33.3 % of the bytes fetched"));
  CHECK(has(text, "make it a structure of arrays"));
  SUBCASE("one member alone is a stride") {
    CHECK(has(advice_on({member(12, 8)}), "are 12 bytes (3 elements) apart"));
  }
  SUBCASE("and so are two arrays at the same stride") {
    CHECK(has(advice_on({member(12, 8), member(12, 8)}), "are 12 bytes"));
    CHECK(has(advice_on({member(12, 0), member(12, 1200)}), "are 12 bytes"));
  }
  SUBCASE("two strides confirm nothing") {
    const auto sentences =
        advice(kernel("k", {line("k.cu", 7, {member(12, 0), member(16, 4)})}), "k.cu");
    REQUIRE(sentences.size() == 2);
    CHECK(has(sentences[0], "are 16 bytes"));
    CHECK(has(sentences[1], "are 12 bytes"));
  }
  SUBCASE("pairs are no structure") {
    CHECK(has(advice_on({member(8, 0), member(8, 4)}), "are 8 bytes"));
  }
  SUBCASE("of another warp the place in the structure counts") {
    auto other = member(12, 12 * 32 * 5 + 4);
    other.example.warp = 5;
    const auto sentences =
        advice(kernel("k", {line("k.cu", 3, {other}), line("k.cu", 5, {member(12, 0)})}), "k.cu");
    REQUIRE(sentences.size() == 1);
    CHECK(has(sentences[0], "lines 3 and 5: an array of structures"));
  }
  SUBCASE("a long one may also be a matrix") {
    CHECK(has(advice_on({member(128, 0), member(128, 4)}),
              "structures (or a matrix with rows) of 128"));
    CHECK(has(advice_on({member(512, 0), member(512, 4)}), "a tile in shared memory"));
  }
  SUBCASE("lines that say the same share a sentence") {
    const auto sentences =
        advice(kernel("k", {line("k.cu", 3, {member(16, 0)}), line("k.cu", 5, {member(16, 4)}),
                            line("k.cu", 9, {member(16, 12)})}),
               "k.cu");
    REQUIRE(sentences.size() == 1);
    CHECK(has(sentences[0], "lines 3, 5 and 9: an array of structures of 16 bytes"));
  }
}

TEST_CASE("advice: off a sector's start") {
  const std::string text = advice_on({load(4, [](unsigned lane) { return 4 * lane + 4; })});
  CHECK(has(text, "but the first is 4 bytes past a multiple of 32: 5 sectors per request where 4"));
  CHECK(has(advice_on({load(1, [](unsigned lane) { return lane + 1; })}), "is 1 byte past"));
  auto at_times = load(
      4, [](unsigned lane) { return 4 * lane + 4; }, all_lanes, 10);
  at_times.sectors = 45;
  CHECK(has(advice_on({at_times}), "but in some requests the first is 4 bytes past"));
  // A permutation of the same elements is as much off.
  CHECK(has(advice_on({load(4, [](unsigned lane) { return 4 * (lane ^ 5U) + 20; })}),
            "20 bytes past"));
}

TEST_CASE("advice: gaps, pieces, few elements") {
  CHECK(has(advice_on({load(
                4, [](unsigned lane) { return 4 * lane; }, 0x55555555)}),
            "only 16 of a warp's 32 lanes take part"));
  CHECK(has(advice_on({load(4, [](unsigned lane) { return lane % 4 * 4 + lane / 4 * 4096; })},
                      dim3(4, 32)),
            "in 8 pieces of 16 bytes on average: 8 sectors per request where 4 would do"));
  CHECK(
      has(advice_on({load(4, [](unsigned lane) { return lane % 16 * 4 + lane / 16 * 4100 + 4; })}),
          "in 2 pieces of 64 bytes on average"));
  CHECK(
      has(advice_on({load(4, [](unsigned lane) { return lane % 16 * 4 + lane / 16 * 4100 + 4; })}),
          "begin at a multiple of 32 bytes"));
  CHECK(
      has(advice_on({load(4, [](unsigned lane) { return lane / 16 * 4096; })}, dim3(16, 16)),
          "the 32 lanes of a warp load only 2 different elements, 4096 bytes apart: 2 sectors per "
          "request where 1 would do"));
}

TEST_CASE("advice: no order") {
  const auto gather = load(4, [](unsigned lane) { return lane * lane % 61 * 512; });
  CHECK(recognise(gather, 128).pattern == Pattern::irregular);
  CHECK(has(advice_on({gather}), "in no regular order"));
  // Two lanes always have a stride.
  const auto two = load(
      4, [](unsigned lane) { return lane * 512; }, 0x3);
  CHECK(recognise(two, 128).pattern == Pattern::irregular);
}

TEST_CASE("advice: bank conflicts") {
  CHECK(advice_on({shared_load(4, [](unsigned lane) { return 128 * lane; })}) ==
        "line 7: a 32-way bank conflict: neighbouring lanes are 32 words apart and meet in the "
        "same bank, which takes 32 wavefronts per instruction where 1 would do; pad the array's "
        "last dimension by one word, [..][33] in place of [..][32].");
  CHECK(advice_on({shared_load(4, [](unsigned lane) { return 8 * lane; })}) ==
        "line 7: a 2-way bank conflict: neighbouring lanes are 2 words apart, which takes 2 "
        "wavefronts per instruction where 1 would do; pad the array's last dimension to 3 words.");
  CHECK(has(
      advice_on({shared_load(4, [](unsigned lane) { return 64 * (lane % 16) + 4 * (lane / 16); })},
                dim3(16, 16)),
      "an 8-way bank conflict: neighbouring lanes are 16 words apart"));
  CHECK(has(advice_on({shared_load(8, [](unsigned lane) { return 256 * lane; })}),
            "a 16-way bank conflict: neighbouring lanes are 32 8-byte elements apart and meet in "
            "the same bank, which takes 32 wavefronts per instruction where 2 would do"));
  CHECK(has(advice_on({shared_load(16, [](unsigned lane) { return 32 * lane; })}),
            "a 2-way bank conflict: neighbouring lanes are 2 16-byte elements apart, which takes 8 "
            "wavefronts per instruction where 4 would do; pad the array's last dimension to 3 "
            "16-byte elements."));
  // Two columns of 16 lanes each: one word of padding leaves 15 conflicts, two leave none.
  CHECK(has(
      advice_on({shared_load(4, [](unsigned lane) { return 128 * (lane % 16) + 4 * (lane / 16); })},
                dim3(32, 16)),
      "by 2 words, [..][34] in place of [..][32]."));
  // The same with 8 lanes per column: four columns, and so four words.
  CHECK(has(
      advice_on({shared_load(4, [](unsigned lane) { return 128 * (lane % 8) + 4 * (lane / 8); })},
                dim3(8, 16)),
      "by 4 words, [..][36] in place of [..][32]."));
  CHECK(has(
      advice_on({shared_load(4, [](unsigned lane) { return 4 * (lane % 16) + lane / 16 * 128; })}),
      "a 2-way bank conflict: a warp has several rows of 16 lanes, 32 words apart"));
  CHECK(has(advice_on({shared_load(4, [](unsigned lane) { return 4 * (lane * lane % 97); })}),
            "the lanes' words are in no regular order"));
  // Lanes that agree in pairs are served twice as many at a time: 8 elements, two in each bank.
  const auto in_pairs = shared_load(16, [](unsigned lane) { return 32 * (lane / 2); });
  CHECK(in_pairs.wavefronts == 4);
  CHECK(in_pairs.bank_conflicts == 2);
  CHECK(has(advice_on({in_pairs}), "a 2-way bank conflict"));
  // Three words apart is not a conflict; the two rows of lanes are.
  CHECK(has(
      advice_on({shared_load(4, [](unsigned lane) { return 12 * (lane % 16) + lane / 16 * 128; })}),
      "a warp has several rows of 16 lanes, 32 words apart"));
}

TEST_CASE("advice: worst first, 8 at most, and none for what costs little") {
  std::vector<LineTraffic> lines;
  for (unsigned i = 1; i <= 12; ++i) {
    const unsigned stride = 128 + 4 * i;
    lines.push_back(line("k.cu", static_cast<int>(i),
                         {load(
                             4, [=](unsigned lane) { return stride * lane; }, all_lanes, 10 + i)}));
  }
  const auto sentences = advice(kernel("k", lines), "k.cu");
  REQUIRE(sentences.size() == 8);
  CHECK(has(sentences[0], "line 12: "));
  CHECK(has(sentences[7], "line 5: "));

  // 1 sector in 5 of a twentieth of all is 1 %.
  const auto little = load(4, [](unsigned lane) { return 4 * lane + 4; });
  const auto much = load(
      4, [](unsigned lane) { return 4 * lane; }, all_lanes, 100);
  CHECK(advice_on({little, much}).empty());
  // Between 5 % and 10 % it is not marked, yet worth a sentence.
  const auto more = load(
      4, [](unsigned lane) { return 4 * lane + 4; }, all_lanes, 50);
  const auto both = line("k.cu", 7, {more, much});
  CHECK(advice_on({more, much}) != "");
  CHECK_FALSE(emulator::reports::is_marked(both, kernel("k", {both}).traffic, false));
  // Several that each cost less than 5 % mark a line together; the worst one is named.
  const auto a = load(
      4, [](unsigned lane) { return 8 * lane; }, all_lanes, 5);
  std::vector<InstructionTraffic> many = {a};
  for (unsigned stride = 12; stride <= 20; stride += 4) {
    many.push_back(load(
        4, [=](unsigned lane) { return stride * lane; }, all_lanes, 2));
  }
  many.push_back(load(
      4, [](unsigned lane) { return 4 * lane; }, all_lanes, 180));
  CHECK(has(advice_on(many), "are 20 bytes"));
}

TEST_CASE("advice: few lanes at work") {
  auto busy = line("k.cu", 3, {}, 100, 20);
  auto idle = line("k.cu", 9, {}, 100, 2);
  auto sentences = advice(kernel("k", {busy, idle}), "k.cu");
  REQUIRE(sentences.size() == 1);
  CHECK(sentences[0] ==
        "line 9: on average only 11 of a warp's 32 lanes are active in a block of code, and here, "
        "where most is lost, 2.");
  sentences = advice(kernel("k", {busy}, dim3(4, 5)), "k.cu");
  REQUIRE(sentences.size() == 1);
  CHECK(has(sentences[0], "the blocks of the grid have 20 threads, and a warp has room for 32"));
  CHECK(advice(kernel("k", {line("k.cu", 3, {}, 100, 24)}), "k.cu").empty());
}

TEST_CASE("advice: a line of another file names it") {
  const auto sentences = advice(
      kernel("k", {line("/src/vec.hpp", 23, {load(4, [](unsigned lane) { return 64 * lane; })})}),
      "k.cu");
  REQUIRE(sentences.size() == 1);
  CHECK(has(sentences[0], "line 23 of vec.hpp: neighbouring"));
}

TEST_CASE("advice: atomics whose lanes meet, and those whose lanes lie apart") {
  const auto atomic = [](InstructionKind kind, unsigned stride, AtomicForm form) {
    const auto at = [stride](unsigned lane) { return stride * lane; };
    return advice_on({instruction(kind, 4, at, all_lanes, 1, form)});
  };
  const auto global = InstructionKind::global_atomic;
  const auto shared = InstructionKind::shared_atomic;
  CHECK(
      atomic(global, 0, AtomicForm::one_step) ==
      "line 7: 32 lanes of a warp change only 1 element, and lanes with the same element wait "
      "for each other: 32 sectors per request where 1 would do, and 0.4 % of these sectors' bytes "
      "are changed; add up within the warp first (shuffles, or __reduce_add_sync for integers) "
      "and let one lane add the sum, or within the block, in shared memory.");
  CHECK(atomic(global, 0, AtomicForm::one_lane).empty());
  CHECK(atomic(global, 4, AtomicForm::one_step).empty());
  CHECK(has(atomic(global, 128, AtomicForm::one_step), "a tile in shared memory"));
  CHECK(atomic(shared, 0, AtomicForm::one_step) ==
        "line 7: 32 lanes of a warp change only 1 word, and a bank serves one lane at a time, "
        "which takes 32 wavefronts per instruction where 1 would do; add up within the warp first "
        "(shuffles, or __reduce_add_sync for integers) and let one lane add the sum, or spread the "
        "lanes over several copies.");
  CHECK(has(atomic(shared, 0, AtomicForm::loop),
            "takes 96 wavefronts per instruction where 3 would"));
  CHECK(
      has(atomic(shared, 0, AtomicForm::loop), "(there is no instruction for it, so it is a loop"));
  CHECK(atomic(shared, 0, AtomicForm::count_lanes).empty());
  CHECK(atomic(shared, 0, AtomicForm::one_lane).empty());
  CHECK(atomic(shared, 4, AtomicForm::one_step).empty());
  CHECK(has(atomic(shared, 128, AtomicForm::one_step), "a 32-way bank conflict: neighbouring"));
}

TEST_CASE("advice: figures of several calls are said to be sums") {
  using emulator::SourceCall;
  using emulator::reports::counted_together;
  const auto unit = load(4, [](unsigned lane) { return 4 * lane; });
  LineTraffic once = line("k.cu", 7, {unit});
  once.calls = {SourceCall{"k.cu", 20}};
  LineTraffic twice = line("k.cu", 8, {unit});
  twice.calls = {SourceCall{"k.cu", 20}, SourceCall{"a/other.hpp", 31}};
  LineTraffic too = line("k.cu", 9, {unit});
  too.calls = twice.calls;
  CHECK(counted_together(kernel("k", {once}), "k.cu").empty());
  CHECK(counted_together(kernel("k", {once, twice, too}), "k.cu") ==
        std::vector<std::string>{
            "lines 8 and 9: the function was inlined at several calls, and these figures are the "
            "sum: lines 20 and 31 of other.hpp."});
}
