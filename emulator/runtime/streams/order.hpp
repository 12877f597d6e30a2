#pragma once
/// \file
/// In which of the legal orders a program's streams do their work: EMULATOR_ORDER.

#include <atomic>
#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::streams {

enum class Order {
  as_issued,  ///< each piece at the call that asks for it: nothing ever waits
  late,       ///< only when somebody waits for it
  random      ///< any legal one, drawn with a seed
};

extern std::atomic<Order> chosen_order;

/// False once somebody watches the streams, or they work in another order than that of issue.
extern std::atomic<bool> straight_through;

/// Whether work is performed in the call that asks for it, and nobody has to know: there is no
/// queue then. What is asked before anything is put into one: with one compare, that is all that
/// the queue costs.
inline bool is_straight_through() {
  return straight_through.load(std::memory_order_relaxed);
}

/// Whether work may be performed later than in the call that asks for it. With several devices it
/// is while a kernel before it waits for another device's.
bool may_wait_in_queue();

/// Works that out anew. While streams are captured, work may have to go elsewhere, and nothing goes
/// straight through either.
void choose_straight_through();
void count_captures(int change);

/// Takes the order that EMULATOR_ORDER names: issue, late, or the seed of a random one. Anything
/// else there ends the program with status 2.
void read_order();

/// Runs what waits, and goes on in another order.
void set_order(Order order, std::uint64_t seed = 0);

/// A number below `count`, drawn for a random order. The first one prints how to repeat them.
std::uint64_t draw_below(std::uint64_t count);

}  // namespace emulator::streams
