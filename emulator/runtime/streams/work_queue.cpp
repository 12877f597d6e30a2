/// \file
/// Which thread runs the work in streams, and when: as it is issued, as late as is legal, or by
/// chance.

#include "streams/work_queue.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/call_site.hpp"
#include "base/devices/devices.hpp"
#include "base/devices/turn_queue.hpp"
#include "base/host_state.hpp"
#include "streams/launch_threads.hpp"
#include "streams/order.hpp"
#include "streams/waiting_work.hpp"

namespace emulator::streams {
namespace {

void perform(const Task& task, Ticket self) {
  const auto perform_one = [self](const auto& one) {
    using T = std::decay_t<decltype(one)>;
    if constexpr (std::is_same_v<T, RecordTask>) {
      one.perform(self);
    } else if constexpr (!std::is_same_v<T, WaitTask>) {
      one.perform();
    }
  };
  std::visit(perform_one, task);
}

void note_done(Ticket ticket) {
  Queue& all = queue();
  tell_watchers([ticket](Watcher& watcher) { watcher.ended(ticket); });
  const std::lock_guard lock(all.mutex);
  all.waits.erase(ticket);
  all.one_is_done.notify_all();
}

// Whether this thread is at work on a piece: then it cannot wait for others.
thread_local bool is_at_work = false;
// The piece that it runs, or 0.
thread_local Ticket piece_at_work = 0;

void run_piece(Ticket ticket, const Piece& piece) {
  const bool was_at_work = std::exchange(is_at_work, true);
  const Ticket outer = std::exchange(piece_at_work, ticket);
  tell_watchers([ticket](Watcher& watcher) { watcher.begins(ticket); });
  const OnDevice here(piece.device);
  if (piece.runs != Runs::unless_failed || sticky_error() == cudaSuccess) {
    const CalledFrom place(piece.issued_at);
    const DeviceWindow window;
    perform(piece.task, ticket);
  }
  piece_at_work = outer;
  is_at_work = was_at_work;
  note_done(ticket);
}

// Held by the thread that runs work (Queue::running).
using Running = std::unique_lock<std::mutex>;

// Waits for work that other threads do in place. Meanwhile these may have to run what comes before.
template <class IsEnough>
void wait_for_others(Running& running, IsEnough is_enough) {
  running.unlock();
  {
    const TurnQueue::Visit visit;
    std::unique_lock lock(queue().mutex);
    queue().one_is_done.wait(lock, is_enough);
  }
  running.lock();
}

// Whether there are kernels in it, and those may wait for other devices' kernels.
bool runs_aside(const Task& task) {
  if (device_count() == 1) return false;
  const auto* const call = std::get_if<CallTask>(&task);
  return std::holds_alternative<KernelTask>(task) || std::holds_alternative<BranchTask>(task) ||
         (call != nullptr && call->waits_for_devices);
}

void note_aside(std::ptrdiff_t change) {
  const std::lock_guard lock(queue().mutex);
  queue().aside += static_cast<std::size_t>(change);
}

void run_piece_aside(Ticket ticket, Piece piece) {
  note_aside(1);
  run_aside([ticket, kept = std::make_shared<const Piece>(std::move(piece))] {
    run_piece(ticket, *kept);
    note_aside(-1);
  });
}

// False if another thread works at the piece, or if it is done. A launch may go on afterwards.
bool begin_one(Ticket ticket) {
  Queue& all = queue();
  Piece piece;
  bool is_aside = false;
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.waits.find(ticket);
    if (found == all.waits.end() || found->second.is_in_place) return false;
    Piece& in_queue = found->second;
    is_aside = runs_aside(in_queue.task);
    piece = {std::move(in_queue.task), {},    in_queue.runs,
             in_queue.issued_at,       false, in_queue.device};
    in_queue.is_in_place = in_queue.is_aside = is_aside;
  }
  if (is_aside) {
    run_piece_aside(ticket, std::move(piece));
  } else {
    run_piece(ticket, piece);
  }
  return true;
}

// A piece that another thread works at is waited for. If that is a launch, it may itself wait for
// what comes later elsewhere.
void run_one(Ticket ticket, Running& running) {
  const Queue& all = queue();
  begin_one(ticket);
  while (!is_done(ticket)) {
    wait_for_others(running,
                    [&] { return all.is_done(ticket) || (all.aside > 0 && all.has_ready()); });
    if (!is_done(ticket)) begin_one(first_ready());
  }
}

// With several devices a piece begins in the call that issues it, unless one that it waits for has
// not ended by then. So do those that have waited for others in the meantime.
void begin_all_ready() {
  if (is_at_work) return;
  Running running(queue().running);
  while (const Ticket ready = first_ready()) begin_one(ready);
}

// As late as is legal is never, so a piece that nobody needs stays. In a random order any piece may
// come before one that is needed.
void run_until_done(Ticket ticket, Running& running) {
  if (chosen_order != Order::random) {
    for (const Ticket next : needed_for(ticket)) run_one(next, running);
    return;
  }
  const Queue& all = queue();
  const auto can_go_on = [&] {
    return all.is_done(ticket) || std::ranges::any_of(all.waits, [&](const auto& entry) {
             return all.is_ready(entry.second);
           });
  };
  while (!is_done(ticket)) {
    if (const Ticket ready = any_ready(); ready != 0) {
      begin_one(ready);
    } else {
      wait_for_others(running, can_go_on);
    }
  }
}

// In a random order a stream may as well begin at once.
void run_some_by_chance() {
  Running running(queue().running);
  while (draw_below(2) == 0) {
    const Ticket ready = any_ready();
    if (ready == 0) return;
    begin_one(ready);
  }
}

// The last pieces of the streams that a wait for this one waits for. For the legacy default
// stream these are also the streams that it waits for itself.
void tell_waited(const std::vector<Ticket>& tickets) {
  tell_watchers([&](Watcher& watcher) { watcher.host_waited(tickets); });
}

void run_if_not_done(Ticket ticket) {
  if (is_done(ticket)) return;
  Running running(queue().running);
  run_until_done(ticket, running);
}

void wait_for_these(const std::vector<Ticket>& tickets) {
  for (const Ticket ticket : tickets) run_if_not_done(ticket);
  tell_waited(tickets);
}

bool is_aside(Ticket ticket) {
  Queue& all = queue();
  const std::lock_guard lock(all.mutex);
  const auto found = all.waits.find(ticket);
  return found != all.waits.end() && found->second.is_aside;
}

// Runs some of what the piece waits for, or the piece; true if there was nothing to run any more.
bool run_a_little(Ticket ticket) {
  if (is_done(ticket)) return true;
  Running running(queue().running);
  const std::vector<Ticket> needed = needed_for(ticket);
  if (needed.empty()) return true;
  const Ticket ready = chosen_order == Order::random ? any_ready() : 0;
  const Ticket next = ready != 0 ? ready : needed.front();
  if (begin_one(next)) return false;
  if (!is_aside(next)) {
    run_one(next, running);
  } else if (!begin_one(first_ready())) {
    TurnQueue::get().wait_until_quiet();
  }
  return false;
}

// Puts a piece into the queue that this thread is about to work at, and catches up with what has to
// come before.
Ticket begin_in_place(const StreamInQueue& in, const Piece& piece,
                      const std::vector<Ticket>& after) {
  Queue& all = queue();
  Ticket ticket = 0;
  std::vector<Ticket> before;
  {
    const std::lock_guard lock(all.mutex);
    ticket = all.add(in, piece, after);
    before = all.waits.at(ticket).after;
  }
  for (const Ticket earlier : before) run_if_not_done(earlier);
  return ticket;
}

}  // namespace

Ticket enqueue(cudaStream_t stream, Task task, Ticket after, Runs runs) {
  return enqueue(in_queue(stream), std::move(task), {after}, runs);
}

Ticket enqueue(const StreamInQueue& in, Task task, const std::vector<Ticket>& after, Runs runs) {
  if (!may_wait_in_queue()) {
    const Piece piece{std::move(task), {}, runs, call_stack(), /*is_in_place=*/true, in.device};
    const Ticket ticket = begin_in_place(in, piece, after);
    run_piece(ticket, piece);
    return ticket;
  }
  Queue& all = queue();
  Ticket ticket = 0;
  {
    const std::lock_guard lock(all.mutex);
    ticket = all.add(in, {std::move(task), {}, runs, call_stack()}, after);
  }
  if (chosen_order == Order::random) run_some_by_chance();
  if (chosen_order == Order::as_issued) begin_all_ready();
  return ticket;
}

InPlace::InPlace(cudaStream_t stream, const char* name) {
  if (is_straight_through()) return;
  const Piece piece{CallTask{name}, {}, Runs::always, call_stack(), /*is_in_place=*/true};
  ticket_ = begin_in_place(in_queue(stream), piece, {});
  turn_.emplace();
  tell_watchers([this](Watcher& watcher) { watcher.begins(ticket_); });
  was_at_work_ = std::exchange(is_at_work, true);
}

// Where memory for the waiting runs out, the program may end.
InPlace::~InPlace() {  // NOLINT(bugprone-exception-escape)
  if (ticket_ == 0) return;
  is_at_work = was_at_work_;
  turn_.reset();
  note_done(ticket_);
  if (host_waits_) wait_for(ticket_);
}

namespace {

template <class Tell>
void tell_of_running_piece(Tell tell) {
  const Ticket ticket = piece_at_work;
  if (ticket != 0) tell_watchers([&](Watcher& watcher) { tell(watcher, ticket); });
}

}  // namespace

RunningRound::RunningRound(std::size_t parts) {
  tell_of_running_piece(
      [&](Watcher& watcher, Ticket piece) { watcher.round_begins(piece, parts); });
}

RunningRound::~RunningRound() {
  tell_of_running_piece([](Watcher& watcher, Ticket piece) { watcher.round_ended(piece); });
}

RunningPart::RunningPart(const BodyPart& part) {
  tell_of_running_piece([&](Watcher& watcher, Ticket piece) { watcher.part_begins(piece, part); });
}

RunningPart::~RunningPart() {
  tell_of_running_piece([](Watcher& watcher, Ticket piece) { watcher.part_ended(piece); });
}

void wait_for(Ticket ticket) {
  if (ticket == 0) return;
  wait_for_these({ticket});
}

void wait_for_stream(cudaStream_t stream) {
  if (!is_straight_through()) wait_for_these(tails_of(stream));
}

void wait_for_all() {
  if (!is_straight_through()) wait_for_these(all_tails());
}

void wait_for_device(int device) {
  if (!is_straight_through()) wait_for_these(all_tails(device));
}

void settle() {
  if (is_straight_through() || is_at_work) return;
  for (const Ticket ticket : all_tails()) run_if_not_done(ticket);
}

bool ask_whether_done(Ticket ticket) {
  if (!run_a_little(ticket)) return false;
  if (ticket != 0) tell_waited({ticket});
  return true;
}

bool ask_whether_done(cudaStream_t stream) {
  if (is_straight_through()) return true;
  const std::vector<Ticket> tickets = tails_of(stream);
  if (!std::ranges::all_of(tickets, run_a_little)) return false;
  tell_waited(tickets);
  return true;
}

// The watcher also sees the device's work to its end. Host functions may use what is gone by now.
void tidy_up_queue() {
  if (is_straight_through()) return;
  Queue& all = queue();
  if (all.aside > 0) TurnQueue::get().wait_until_quiet();
  TurnQueue::get().close();
  Running running(all.running);
  std::vector<Ticket> tidying;
  {
    const std::lock_guard lock(all.mutex);
    for (const auto& [ticket, piece] : all.waits) {
      const bool is_wanted = piece.runs == Runs::also_at_exit ||
                             (is_watched() && !std::holds_alternative<HostTask>(piece.task));
      if (is_wanted) tidying.push_back(ticket);
    }
  }
  for (const Ticket ticket : tidying) {
    if (all.aside == 0) run_one(ticket, running);
  }
}

}  // namespace emulator::streams
