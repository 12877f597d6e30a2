// What atomic operations take, against what Nsight Compute counted on an H200.

#include "observers/traffic/atomics.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace {

using namespace emulator::traffic;

constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

struct Step {
  unsigned wavefronts;
  unsigned bank_conflicts;
};
struct Loop {
  unsigned rounds;
  unsigned wavefronts;
  unsigned load_wavefronts;
};

// A kernel of one warp in which lane l means element index(l), and the counters of each operation.
struct Measured {
  unsigned (*index)(unsigned l);
  std::uint32_t active;
  Step exchange;  // of 4 bytes
  Step compare;
  unsigned count;  // wavefronts of adding 1
  Loop add_float;
  Step exchange_8;  // of 8 bytes
  Step compare_8;
  Loop add_double;
  unsigned sectors;  // in global memory, of 4 bytes
  unsigned sectors_8;
};

const std::array<Measured, 13> measured = {{
    {[](unsigned l) { return l; },
     all_lanes,
     {1, 0},
     {2, 0},
     1,
     {1, 2, 1},
     {2, 0},
     {4, 0},
     {1, 4, 2},
     4,
     8},
    {[](unsigned l) { return 2 * l; },
     all_lanes,
     {2, 1},
     {4, 1},
     2,
     {2, 4, 3},
     {4, 2},
     {8, 2},
     {2, 8, 6},
     8,
     16},
    {[](unsigned l) { return 32 * l; },
     all_lanes,
     {32, 31},
     {64, 31},
     32,
     {32, 64, 528},
     {32, 30},
     {64, 30},
     {16, 64, 272},
     32,
     32},
    {[](unsigned l) { return l / 2; },
     all_lanes,
     {2, 1},
     {4, 1},
     1,
     {2, 4, 2},
     {4, 2},
     {8, 2},
     {2, 8, 2},
     4,
     8},
    {[](unsigned l) { return l % 2; },
     all_lanes,
     {16, 15},
     {32, 15},
     1,
     {16, 32, 16},
     {16, 14},
     {32, 14},
     {16, 48, 16},
     16,
     16},
    {[](unsigned l) { return l % 16; },
     all_lanes,
     {2, 1},
     {4, 1},
     1,
     {2, 4, 2},
     {2, 0},
     {4, 0},
     {2, 6, 3},
     4,
     8},
    {[](unsigned l) { return l % 2 * 32; },
     all_lanes,
     {32, 31},
     {64, 31},
     2,
     {32, 64, 63},
     {32, 30},
     {64, 30},
     {17, 66, 33},
     32,
     32},
    {[](unsigned l) { return l < 16 ? 0 : l; },
     all_lanes,
     {16, 15},
     {32, 15},
     1,
     {16, 32, 16},
     {17, 15},
     {34, 15},
     {16, 34, 17},
     18,
     20},
    {[](unsigned l) { return l * l % 32; },
     all_lanes,
     {8, 7},
     {16, 7},
     1,
     {8, 16, 8},
     {8, 6},
     {16, 6},
     {8, 24, 20},
     20,
     24},
    {[](unsigned l) { return l; },
     0x0000FFFF,
     {1, 0},
     {2, 0},
     1,
     {1, 2, 1},
     {1, 0},
     {2, 0},
     {1, 2, 1},
     2,
     4},
    {[](unsigned l) { return l / 3 * 4; },
     all_lanes,
     {6, 5},
     {12, 5},
     2,
     {6, 12, 9},
     {11, 9},
     {22, 9},
     {6, 22, 16},
     17,
     32},
    {[](unsigned l) { return l % 4 * 32 + l / 4; },
     all_lanes,
     {4, 3},
     {8, 3},
     4,
     {4, 8, 10},
     {8, 6},
     {16, 6},
     {4, 16, 17},
     4,
     8},
    {[](unsigned l) { return l / 8; },
     all_lanes,
     {8, 7},
     {16, 7},
     1,
     {8, 16, 8},
     {16, 14},
     {32, 14},
     {8, 32, 8},
     8,
     8},
}};

SharedRequest request_of(const Measured& kernel, unsigned bytes) {
  SharedRequest request;
  request.active = kernel.active;
  request.bytes = bytes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    request.address[lane] = 4096 + std::uint64_t{bytes} * kernel.index(lane);
  }
  return request;
}

void check_step(const SharedAtomicCost& cost, const Step& expected) {
  CHECK(cost.instructions == 1);
  CHECK(cost.wavefronts == expected.wavefronts);
  CHECK(cost.bank_conflicts == expected.bank_conflicts);
  CHECK(cost.load_instructions == 0);
  CHECK(cost.load_wavefronts == 0);
}

void check_loop(const SharedAtomicCost& cost, const Loop& expected) {
  CHECK(cost.instructions == expected.rounds);
  CHECK(cost.wavefronts == expected.wavefronts);
  CHECK(cost.bank_conflicts == 0);
  CHECK(cost.load_instructions == expected.rounds);
  CHECK(cost.load_wavefronts == expected.load_wavefronts);
}

unsigned sectors_of(const Measured& kernel, unsigned bytes, AtomicForm form) {
  const SharedRequest request = request_of(kernel, bytes);
  std::vector<std::uint64_t> addresses;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((request.active >> lane & 1U) != 0) addresses.push_back(request.address[lane]);
  }
  return global_atomic_cost(addresses.data(), static_cast<unsigned>(addresses.size()), bytes, form)
      .sectors;
}

}  // namespace

TEST_CASE("atomics: as an H200 counts them") {
  for (std::size_t i = 0; i < measured.size(); ++i) {
    CAPTURE(i);
    const Measured& kernel = measured[i];
    const SharedRequest words = request_of(kernel, 4);
    const SharedRequest pairs = request_of(kernel, 8);
    check_step(shared_atomic_cost(words, AtomicForm::one_step), kernel.exchange);
    check_step(shared_atomic_cost(words, AtomicForm::compare), kernel.compare);
    CHECK(shared_atomic_cost(words, AtomicForm::count_lanes).wavefronts == kernel.count);
    check_loop(shared_atomic_cost(words, AtomicForm::loop), kernel.add_float);
    check_step(shared_atomic_cost(pairs, AtomicForm::one_step), kernel.exchange_8);
    check_step(shared_atomic_cost(pairs, AtomicForm::compare), kernel.compare_8);
    check_loop(shared_atomic_cost(pairs, AtomicForm::loop), kernel.add_double);
    CHECK(sectors_of(kernel, 4, AtomicForm::one_step) == kernel.sectors);
    CHECK(sectors_of(kernel, 8, AtomicForm::one_step) == kernel.sectors_8);
    // No pattern here means one address for all lanes: what says so is not believed.
    CHECK(sectors_of(kernel, 4, AtomicForm::one_lane) == kernel.sectors);
    check_step(shared_atomic_cost(words, AtomicForm::one_lane), kernel.exchange);
    check_loop(shared_atomic_cost(pairs, AtomicForm::one_lane), kernel.add_double);
  }
}

TEST_CASE("atomics: where all lanes mean one address one of them goes") {
  Measured kernel = measured[0];
  kernel.index = [](unsigned) { return 7U; };
  CHECK(sectors_of(kernel, 4, AtomicForm::one_lane) == 1);
  check_step(shared_atomic_cost(request_of(kernel, 4), AtomicForm::one_lane), {1, 0});
  check_loop(shared_atomic_cost(request_of(kernel, 8), AtomicForm::one_lane), {1, 2, 1});
}

TEST_CASE("atomics: what would do is one lane a bank") {
  const Measured& conflicts = measured[2];
  CHECK(shared_atomic_cost(request_of(conflicts, 4), AtomicForm::one_step).ideal_wavefronts == 1);
  CHECK(shared_atomic_cost(request_of(conflicts, 4), AtomicForm::compare).ideal_wavefronts == 2);
  CHECK(shared_atomic_cost(request_of(conflicts, 4), AtomicForm::loop).ideal_wavefronts == 3);
  CHECK(shared_atomic_cost(request_of(conflicts, 8), AtomicForm::one_step).ideal_wavefronts == 2);
  CHECK(shared_atomic_cost(request_of(conflicts, 8), AtomicForm::loop).ideal_wavefronts == 6);
}

TEST_CASE("atomics: what the compiler makes of them") {
  using Operation = AtomicOperation;
  namespace hints = atomic_hints;
  const unsigned counts = hints::adds_one | hints::unused | hints::literal;
  CHECK(form_of(Operation::add, 4, 0) == AtomicForm::one_step);
  CHECK(form_of(Operation::add, 4, hints::one_address) == AtomicForm::one_lane);
  CHECK(form_of(Operation::add, 4, counts) == AtomicForm::count_lanes);
  CHECK(form_of(Operation::add, 4, hints::adds_one | hints::literal) == AtomicForm::one_step);
  CHECK(form_of(Operation::add, 8, 0) == AtomicForm::loop);
  CHECK(form_of(Operation::add, 8, counts) == AtomicForm::loop);
  CHECK(form_of(Operation::add, 8, hints::one_address) == AtomicForm::loop);
  CHECK(form_of(Operation::add, 8, hints::one_address | hints::literal) == AtomicForm::one_lane);
  CHECK(form_of(Operation::select, 4, hints::one_address) == AtomicForm::one_step);
  CHECK(form_of(Operation::select, 4, hints::one_address | hints::unused) == AtomicForm::one_lane);
  CHECK(form_of(Operation::select, 8, hints::one_address | hints::unused) == AtomicForm::loop);
  CHECK(form_of(Operation::ring, 4, hints::one_address | hints::unused) == AtomicForm::one_step);
  CHECK(form_of(Operation::exchange, 8, 0) == AtomicForm::one_step);
  CHECK(form_of(Operation::compare, 8, hints::one_address) == AtomicForm::compare);
  CHECK(form_of(Operation::real, 4, hints::one_address | counts) == AtomicForm::loop);
}
