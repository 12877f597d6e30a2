#include "queue/order.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <utility>

#include "queue/work_queue.hpp"

namespace emulator::detail {

constinit std::atomic<Order> chosen_order{Order::as_issued};
constinit std::atomic<bool> straight_through{true};

namespace {

std::uint64_t chosen_seed = 0;
bool from_environment = false;  // then its user is told, once

std::atomic<int> captures{0};

void choose(Order order) {
  chosen_order = order;
  choose_straight_through();
}

std::mt19937_64& generator() {
  static std::mt19937_64 numbers;
  return numbers;
}

}  // namespace

void choose_straight_through() {
  straight_through = chosen_order == Order::as_issued && !is_watched() && captures == 0;
}

void count_captures(int change) {
  captures += change;
  choose_straight_through();
}

void read_order() {
  const char* const text = std::getenv("EMULATOR_ORDER");
  const std::string_view value = text == nullptr ? "" : text;
  if (value.empty() || value == "issue") return;
  from_environment = true;
  if (value == "late") {
    choose(Order::late);
    return;
  }
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, chosen_seed);
  if (error != std::errc{} || rest != end) {
    std::fprintf(stderr,
                 "emulator: error: EMULATOR_ORDER=%s: want issue, late, or a number: the seed of a "
                 "random order\n",
                 text);
    std::_Exit(2);  // nothing has run yet; destructors would find half a program
  }
  generator().seed(chosen_seed);
  choose(Order::random);
}

void set_order(Order order, std::uint64_t seed) {
  wait_for_all();
  from_environment = false;
  chosen_seed = seed;
  generator().seed(seed);
  choose(order);
}

std::uint64_t draw_below(std::uint64_t count) {
  if (std::exchange(from_environment, false)) {
    std::fprintf(stderr,
                 "emulator: streams work in a random legal order: EMULATOR_ORDER=%llu repeats it\n",
                 static_cast<unsigned long long>(chosen_seed));
  }
  return generator()() % count;  // as std::uniform_int_distribution may differ between libraries
}

}  // namespace emulator::detail
