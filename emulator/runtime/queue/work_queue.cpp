#include "queue/work_queue.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "api/host_state.hpp"
#include "debug_info/call_site.hpp"
#include "queue/order.hpp"

namespace emulator::detail {
namespace {

struct Piece {
  Work work;
  std::vector<Ticket> after;
  Runs runs;
  CallStack issued_at;  // empty if the checks were off
};

struct Tail {
  Ticket last;
  Blocks blocks;
};

struct Queue {
  std::mutex mutex;               // of the members below
  std::map<Ticket, Piece> waits;  // also the one that is being run
  std::map<std::uint64_t, Tail> tails;
  Ticket last = 0;

  // Whoever runs work. Held for as long as it takes, so that others can issue in the meantime. A
  // host function in a stream may not wait for anything, and the emulator's own work does not.
  std::mutex running;

  bool is_done(Ticket ticket) const { return !waits.contains(ticket); }

  bool is_ready(const Piece& piece) const {
    return std::ranges::all_of(piece.after, [&](Ticket other) { return is_done(other); });
  }
};

// Never destroyed: destructors of the program's static objects may still use streams.
Queue& queue() {
  static auto& all = *new Queue;
  return all;
}

void run_one(Ticket ticket) {
  Queue& all = queue();
  Piece piece;
  {
    const std::lock_guard lock(all.mutex);
    Piece& in_queue = all.waits.at(ticket);
    piece = {std::move(in_queue.work), {}, in_queue.runs, in_queue.issued_at};
  }
  if (piece.runs != Runs::unless_failed || sticky_error() == cudaSuccess) {
    const CalledFrom place(piece.issued_at);
    const DeviceWindow window;
    piece.work(ticket);
  }
  const std::lock_guard lock(all.mutex);
  all.waits.erase(ticket);
}

// What has to run so that the piece is done, in the order of issue.
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

// One of the pieces that wait for nothing any more; 0 if there is none.
Ticket any_ready() {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::vector<Ticket> ready;
  for (const auto& [ticket, piece] : all.waits) {
    if (all.is_ready(piece)) ready.push_back(ticket);
  }
  return ready.empty() ? 0 : ready[draw_below(ready.size())];
}

// As late as is legal is never, so a piece that nobody needs stays. In a random order any piece may
// come before one that is needed.
void run_until_done(Ticket ticket) {
  if (chosen_order != Order::random) {
    for (const Ticket next : needed_for(ticket)) run_one(next);
    return;
  }
  while (!is_done(ticket)) run_one(any_ready());
}

// In a random order a stream may as well begin at once.
void run_some_by_chance() {
  Queue& all = queue();
  const std::lock_guard lock(all.running);
  while (draw_below(2) == 0) {
    const Ticket ready = any_ready();
    if (ready == 0) return;
    run_one(ready);
  }
}

// The last pieces of the streams that who waits for this one waits for. For the legacy default
// stream these are also the streams that it waits for itself.
std::vector<Ticket> tails_of(cudaStream_t stream) {
  const StreamInQueue in = in_queue(stream);
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  std::vector<Ticket> tickets;
  for (const auto& [number, tail] : all.tails) {
    const bool before = in.blocks == Blocks::is_legacy && tail.blocks == Blocks::blocking;
    if (number == in.number || before) tickets.push_back(tail.last);
  }
  return tickets;
}

}  // namespace

Ticket enqueue(cudaStream_t stream, Work work, Ticket after, Runs runs) {
  const StreamInQueue in = in_queue(stream);
  Queue& all = queue();
  Ticket ticket = 0;
  {
    const std::lock_guard lock(all.mutex);
    Piece piece{std::move(work), {}, runs, call_stack()};
    const auto wait_for = [&](Ticket other) {
      if (!all.is_done(other)) piece.after.push_back(other);
    };
    wait_for(after);
    std::erase_if(all.tails, [&](const auto& entry) { return all.is_done(entry.second.last); });
    for (const auto& [number, tail] : all.tails) {
      const bool is_own = number == in.number;
      const bool by_default_stream =
          (in.blocks == Blocks::is_legacy && tail.blocks == Blocks::blocking) ||
          (in.blocks == Blocks::blocking && tail.blocks == Blocks::is_legacy);
      if (is_own || by_default_stream) wait_for(tail.last);
    }
    ticket = ++all.last;
    all.waits.emplace(ticket, std::move(piece));
    all.tails[in.number] = {ticket, in.blocks};
  }
  if (chosen_order == Order::random) run_some_by_chance();
  return ticket;
}

bool is_done(Ticket ticket) {
  if (ticket == 0) return true;
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  return all.is_done(ticket);
}

void wait_for(Ticket ticket) {
  if (is_done(ticket)) return;
  const std::lock_guard lock(queue().running);
  run_until_done(ticket);
}

void wait_for_stream(cudaStream_t stream) {
  if (runs_at_once()) return;
  for (const Ticket ticket : tails_of(stream)) wait_for(ticket);
}

void wait_for_all() {
  if (runs_at_once()) return;
  Queue& all = queue();
  std::vector<Ticket> issued;
  {
    const std::lock_guard lock(all.mutex);
    for (const auto& [ticket, piece] : all.waits) issued.push_back(ticket);
  }
  for (const Ticket ticket : issued) wait_for(ticket);
}

void catch_up(cudaStream_t stream) {
  if (!runs_at_once()) wait_for(enqueue(stream, [](Ticket) {}));
}

bool ask_whether_done(Ticket ticket) {
  if (is_done(ticket)) return true;
  const std::lock_guard lock(queue().running);
  const std::vector<Ticket> needed = needed_for(ticket);
  if (needed.empty()) return true;
  run_one(chosen_order == Order::random ? any_ready() : needed.front());
  return false;
}

bool ask_whether_done(cudaStream_t stream) {
  if (runs_at_once()) return true;
  const std::vector<Ticket> tickets = tails_of(stream);
  return std::ranges::all_of(tickets, [](Ticket ticket) { return ask_whether_done(ticket); });
}

void tidy_up_queue() {
  if (runs_at_once()) return;
  Queue& all = queue();
  const std::lock_guard running(all.running);
  std::vector<Ticket> tidying;
  {
    const std::lock_guard lock(all.mutex);
    for (const auto& [ticket, piece] : all.waits) {
      if (piece.runs == Runs::also_at_exit) tidying.push_back(ticket);
    }
  }
  for (const Ticket ticket : tidying) run_one(ticket);
}

}  // namespace emulator::detail
