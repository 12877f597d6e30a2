/// \file
/// The pieces of work that wait: what a new one comes after, and what observes it.

#include "streams/waiting_work.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "streams/order.hpp"

namespace emulator::streams {

Queue& queue() {
  static auto& all = *new Queue;
  return all;
}

std::vector<Ticket> needed_for(Ticket ticket) {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::set<Ticket> needed;
  std::vector<Ticket> to_visit{ticket};
  while (!to_visit.empty()) {
    const Ticket next = to_visit.back();
    to_visit.pop_back();
    const auto found = all.waits.find(next);
    if (found == all.waits.end() || !needed.insert(next).second) continue;
    to_visit.insert(to_visit.end(), found->second.after.begin(), found->second.after.end());
  }
  return {needed.begin(), needed.end()};
}

Ticket any_ready() {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::vector<Ticket> ready;
  for (const auto& [ticket, piece] : all.waits) {
    if (all.is_ready(piece)) ready.push_back(ticket);
  }
  return ready.empty() ? 0 : ready[draw_below(ready.size())];
}

Ticket first_ready() {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  const auto ready = std::ranges::find_if(
      all.waits, [&](const auto& entry) { return all.is_ready(entry.second); });
  return ready == all.waits.end() ? 0 : ready->first;
}

std::vector<Ticket> tails_of(cudaStream_t stream) {
  const StreamInQueue in = in_queue(stream);
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::vector<Ticket> tickets;
  for (const auto& [number, tail] : all.tails) {
    const bool before = in.blocks == Blocks::is_legacy && tail.blocks == Blocks::blocking &&
                        device_of_number(number) == in.device;
    if (number == in.number || before) tickets.push_back(tail.last);
  }
  return tickets;
}

std::vector<Ticket> all_tails(std::optional<int> device) {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::vector<Ticket> tails;
  for (const auto& [number, tail] : all.tails) {
    if (!device || device_of_number(number) == *device) tails.push_back(tail.last);
  }
  return tails;
}

namespace {

// Which piece of several that one call issues is next.
enum class InOneCall { no, first, more };
thread_local InOneCall in_one_call = InOneCall::no;

}  // namespace

// For the watchers whatever comes before counts; the queue itself forgets what is done.
Ticket Queue::add(const StreamInQueue& in, Piece piece, const std::vector<Ticket>& after) {
  std::vector<Ticket> all_before;
  std::ranges::copy_if(after, std::back_inserter(all_before), [](Ticket one) { return one != 0; });
  if (watchers.empty()) {
    std::erase_if(tails, [&](const auto& entry) { return is_done(entry.second.last); });
  }
  for (const auto& [number, tail] : tails) {
    const bool is_own = number == in.number;
    const bool by_default_stream =
        device_of_number(number) == in.device &&
        ((in.blocks == Blocks::is_legacy && tail.blocks == Blocks::blocking) ||
         (in.blocks == Blocks::blocking && tail.blocks == Blocks::is_legacy));
    if (is_own || by_default_stream) all_before.push_back(tail.last);
  }
  std::ranges::copy_if(all_before, std::back_inserter(piece.after),
                       [&](Ticket other) { return !is_done(other); });
  piece.device = in.device;
  const Ticket ticket = ++last;
  for (Watcher* const watcher : watchers) {
    watcher->issued(
        {ticket, piece.task, in, all_before, piece.issued_at, in_one_call == InOneCall::more});
  }
  if (in_one_call == InOneCall::first) in_one_call = InOneCall::more;
  waits.emplace(ticket, std::move(piece));
  if (in.blocks != Blocks::beside) tails[in.number] = {ticket, in.blocks};
  return ticket;
}

OneCall::OneCall() {
  in_one_call = InOneCall::first;
}

OneCall::~OneCall() {
  in_one_call = InOneCall::no;
}

bool is_watched() {
  return !queue().watchers.empty();
}

bool is_done(Ticket ticket) {
  if (ticket == 0) return true;
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  return all.is_done(ticket);
}

}  // namespace emulator::streams

namespace emulator::events {

using namespace streams;

void add_watcher(Watcher& watcher) {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  all.watchers.push_back(&watcher);
  choose_straight_through();
}

void remove_watcher(Watcher& watcher) {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::erase(all.watchers, &watcher);
  choose_straight_through();
}

}  // namespace emulator::events
