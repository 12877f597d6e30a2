#include "streams/order.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/devices/devices.hpp"
#include "emulator/order.h"
#include "events/random_order.hpp"
#include "streams/capture_mode.hpp"
#include "streams/work_queue.hpp"

namespace emulator {
namespace streams {

constinit std::atomic<Order> chosen_order{Order::as_issued};
constinit std::atomic<bool> straight_through{true};
constinit std::atomic<cudaError_t (*)()> refuse_unsafe{nullptr};

namespace {

std::uint64_t chosen_seed = 0;
bool from_environment = false;  // then its user hears of it, once

std::atomic<int> captures{0};

void choose(Order order) {
  chosen_order = order;
  const bool is_random = order == Order::random;
  events::active_lanes_together = !is_random;
  // Numbers that say little of the seed, so that neighbours order blocks in quite different ways.
  events::block_seed = is_random ? std::mt19937_64(chosen_seed)() | 1 : 0;
  choose_straight_through();
}

std::mt19937_64& generator() {
  static std::mt19937_64 numbers;
  return numbers;
}

struct Choice {
  Order order = Order::as_issued;
  std::uint64_t seed = 0;
};

/// The order that a text names: issue, late, or a number.
std::optional<Choice> read(std::string_view text) {
  if (text == "issue") return Choice{};
  if (text == "late") return Choice{Order::late};
  Choice choice{Order::random};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, choice.seed);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return choice;
}

}  // namespace

void choose_straight_through() {
  straight_through =
      chosen_order == Order::as_issued && !is_watched() && captures == 0 && device_count() == 1;
}

bool may_wait_in_queue() {
  return chosen_order != Order::as_issued || device_count() > 1;
}

void count_captures(int change) {
  captures += change;
  choose_straight_through();
}

void read_order() {
  choose_straight_through();  // with several devices it is another thing from the beginning
  const char* const text = std::getenv("EMULATOR_ORDER");
  const std::string_view value = text == nullptr ? "" : text;
  if (value.empty() || value == "issue") return;
  const std::optional<Choice> choice = read(value);
  if (!choice) {
    std::fprintf(stderr,
                 "emulator: error: EMULATOR_ORDER=%s: want issue, late, or a number: the seed of a "
                 "random order\n",
                 text);
    std::_Exit(2);  // nothing has run yet; destructors would find half a program
  }
  from_environment = true;
  chosen_seed = choice->seed;
  generator().seed(chosen_seed);
  choose(choice->order);
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

}  // namespace streams

void set_order(const std::string& text) {
  const std::optional<streams::Choice> choice = streams::read(text);
  if (!choice) {
    throw std::invalid_argument("'" + text + "' is not an order: want issue, late, or a number");
  }
  streams::set_order(choice->order, choice->seed);
}

std::string order() {
  switch (streams::chosen_order.load()) {
    case streams::Order::as_issued:
      return "issue";
    case streams::Order::late:
      return "late";
    case streams::Order::random:
      return std::to_string(streams::chosen_seed);
  }
  return "?";
}

}  // namespace emulator
