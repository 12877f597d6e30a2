/// \file
/// Which actor knows of what: from what is issued and waited for.

#include "observers/ordering/ordering.hpp"
#include "observers/ordering/host_threads.hpp"
#include "observers/ordering/own_memory.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <variant>

namespace emulator::ordering {
namespace {

constinit thread_local bool inside = false;
constinit thread_local Agent* piece_here = nullptr;  // lives until it has ended

// Moments that a lane in a body has in a launch. What comes later counts as known to all.
constexpr std::uint32_t most_rounds = 1U << 12;

// The function's name as the program has written it.
const char* as_written(const char* call, bool is_asynchronous) {
  if (call == nullptr) call = "cudaMemcpy";
  if (!is_asynchronous) return call;
  static auto& names = *new std::set<std::string>;  // that are in use for good
  return names.insert(std::string(call) + "Async").first->c_str();
}

// The kind of work, and what it is called.
std::pair<Work, const char*> work_of(const Task& task) {
  return std::visit(
      [](const auto& one) -> std::pair<Work, const char*> {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, KernelTask>) return {Work::kernel, one.name};
        if constexpr (std::is_same_v<T, CopyTask>) {
          const char* const call = one.symbol_call != nullptr ? one.symbol_call : one.call;
          return {Work::copy, as_written(call, one.is_asynchronous)};
        }
        if constexpr (std::is_same_v<T, SetTask>) {
          return {Work::set, as_written(one.call, one.is_asynchronous)};
        }
        if constexpr (std::is_same_v<T, HostTask>) return {Work::host_function, "host function"};
        if constexpr (std::is_same_v<T, FreeTask>) return {Work::free, "cudaFreeAsync"};
        if constexpr (std::is_same_v<T, CallTask>) return {Work::library, one.name};
        if constexpr (std::is_same_v<T, BranchTask>) return {Work::condition, "conditional node"};
        if constexpr (std::is_same_v<T, AssignTask>) return {Work::library, "cudaGraphLaunch"};
        return {Work::library, ""};
      },
      task);
}

}  // namespace

Ordering::Lock::Lock(Ordering& all) : all_(all) {
  inside = true;
  all_.mutex_.lock();
}
Ordering::Lock::~Lock() {
  const bool has_found = std::exchange(all_.has_found_, false);
  all_.mutex_.unlock();
  // What a kernel has done is announced at its end, as all that is found in it.
  const bool in_kernel = piece_here != nullptr && piece_here->work == Work::kernel;
  if (has_found && !in_kernel) print_new_findings();
  inside = false;
}
bool Ordering::Lock::is_held() {
  return inside;
}

Ordering& Ordering::get() {
  static auto& all = *new Ordering;  // never destroyed: static objects' destructors use memory
  return all;
}

void Ordering::start_anew() {
  histories_.forget();
  memory_.forget();
  forget_own_memory();
  streams_.clear();
  pieces_.clear();
  branches_.clear();
  records_.clear();
  left_.clear();
  reported_.clear();
  unseen_host_ = {};
  unseen_host_.clock.set(0, 1);
  times_.clear();
  first_ = 0;
}

Clock Ordering::tell(Agent& agent) {
  agent.has_told = true;
  return agent.clock;
}

void Ordering::learn(Agent& agent, const Clock& clock) {
  if (agent.clock.covers(clock)) return;
  agent.clock.learn(clock);
  agent.points.clear();  // an access from now on is a new one, even at the same place
  agent.last_key = 0;
}

// Of work that is not known any more all is assumed to be known that there is.
void Ordering::learn_of(Clock& clock, Ticket ticket) {
  if (ticket < first_) return;
  const auto found = pieces_.find(ticket);
  if (found != pieces_.end()) return clock.learn(found->second->clock);
  for (Actor actor = 0; actor < times_.size(); ++actor) clock.learn(actor, times_[actor]);
}

// A piece is of interest as long as somebody can wait for it: the last one of its stream, and the
// last record of each event.
void Ordering::drop_if_useless(Ticket ticket) {
  const auto found = pieces_.find(ticket);
  if (found == pieces_.end() || found->second->is_record || !found->second->has_ended) return;
  for (const auto& [number, stream] : streams_) {
    if (stream.last == ticket) return;
  }
  pieces_.erase(found);
}

void Ordering::issued(const Issued& now) {
  const Lock lock(*this);
  if (first_ == 0) {
    first_ = now.ticket;
    // Reading the symbol table takes a while. What the host does before is ordered with all work.
    const VariableRange variables = range_of_device_variables();
    variable_range.begin = variables.begin;
    variable_range.bytes = variables.bytes;
  }
  Agent& issuer = host();
  const auto [entry, is_new] = streams_.try_emplace(now.stream.number, Stream{actors_, 0});
  if (is_new) ++actors_;
  Stream& stream = entry->second;

  auto piece = std::make_shared<Agent>();
  piece->actor = stream.actor;
  piece->clock = tell(issuer);
  for (const Ticket other : now.after) learn_of(piece->clock, other);
  piece->after = now.after;
  if (times_.size() <= stream.actor) times_.resize(stream.actor + 1);
  piece->clock.set(stream.actor, ++times_[stream.actor]);
  piece->ticket = now.ticket;
  std::tie(piece->work, piece->name) = work_of(now.task);
  piece->stack = number_of(now.at);
  piece->issuer = issuer.actor;
  piece->blocks = now.stream.blocks;
  piece->device = now.stream.device;
  // It may tell others of what it has done, as a host thread does.
  if (is_host_function(piece.get())) note_another_host_thread();
  if (const auto* const branch = std::get_if<BranchTask>(&now.task)) {
    reserve_lanes(*piece, *branch);
  }
  if (const auto* const record = std::get_if<RecordTask>(&now.task)) {
    piece->is_record = true;
    Ticket& last = records_[reinterpret_cast<std::uintptr_t>(record->event)];
    const auto earlier = pieces_.find(std::exchange(last, now.ticket));
    if (earlier != pieces_.end()) {
      earlier->second->is_record = false;
      drop_if_useless(earlier->first);
    }
  }
  pieces_.emplace(now.ticket, std::move(piece));
  drop_if_useless(std::exchange(stream.last, now.ticket));
}

void Ordering::begins(Ticket ticket) {
  const Lock lock(*this);
  const auto found = pieces_.find(ticket);
  piece_here = found == pieces_.end() ? nullptr : found->second.get();
  if (is_host_function(piece_here)) host_function_begins(__builtin_frame_address(0));
}

void Ordering::ended(Ticket ticket) {
  const Lock lock(*this);
  const auto found = pieces_.find(ticket);
  if (found == pieces_.end()) return;
  if (is_host_function(found->second.get())) host_function_ended();
  found->second->has_ended = true;
  if (found->second->has_heard) pass_on(*found->second);
  found->second->points.clear();
  branches_.erase(ticket);
  piece_here = nullptr;
  drop_if_useless(ticket);
}

// What a kernel has heard of others while it ran, those did not know that were issued behind it.
void Ordering::pass_on(const Agent& piece) {
  for (const auto& [ticket, other] : pieces_) {
    if (std::ranges::find(other->after, piece.ticket) == other->after.end()) continue;
    learn(*other, piece.clock);
    other->has_heard = true;
  }
}

// Who comes after the node knows of all that its bodies will have done: of so many rounds.
void Ordering::reserve_lanes(Agent& piece, const BranchTask& branch) {
  RunningBranch& running = branches_[piece.ticket];
  running.node.clock = piece.clock;
  for (const std::uint64_t lane : branch.lanes) {
    const auto [entry, is_new] = streams_.try_emplace(lane, Stream{actors_, 0});
    if (is_new) ++actors_;
    const Actor actor = entry->second.actor;
    if (times_.size() <= actor) times_.resize(actor + 1);
    running.lanes.emplace(lane, BodyLane{actor, times_[actor]});
    times_[actor] += most_rounds;
    piece.clock.set(actor, times_[actor]);
  }
}

void Ordering::round_begins(Ticket ticket, std::size_t parts) {
  const Lock lock(*this);
  const auto found = branches_.find(ticket);
  if (found == branches_.end()) return;
  RunningBranch& running = found->second;
  Agent& node = running.parts.empty() ? running.node : *running.parts.back();
  running.rounds.push_back({&node, std::vector<Clock>(parts)});
}

void Ordering::part_begins(Ticket ticket, const BodyPart& part) {
  const Lock lock(*this);
  const auto found = branches_.find(ticket);
  const auto piece = pieces_.find(ticket);
  if (found == branches_.end() || piece == pieces_.end()) return;
  RunningBranch& running = found->second;
  Round& round = running.rounds.back();
  auto agent = std::make_unique<Agent>();
  agent->clock = round.node->clock;
  agent->actor = running.parts.empty() ? piece->second->actor : round.node->actor;
  for (const std::size_t before : part.after) agent->clock.learn(round.ends[before]);
  if (const auto lane = running.lanes.find(part.lane); lane != running.lanes.end()) {
    BodyLane& own = lane->second;
    own.used = std::min(own.used + 1, most_rounds - 1);
    agent->actor = own.actor;
    agent->clock.set(own.actor, own.first + own.used);
  }
  std::tie(agent->work, agent->name) = work_of(part.task);
  agent->ticket = ticket;
  agent->stack = piece->second->stack;
  agent->issuer = piece->second->issuer;
  agent->blocks = piece->second->blocks;
  agent->device = piece->second->device;
  KeptPoints& kept = running.kept[&part.task];
  if (kept.time == agent->clock.of(agent->actor)) agent->points = std::move(kept.points);
  round.part = part.index;
  round.task = &part.task;
  piece_here = agent.get();
  running.parts.push_back(std::move(agent));
}

void Ordering::part_ended(Ticket ticket) {
  const Lock lock(*this);
  const auto found = branches_.find(ticket);
  if (found == branches_.end() || found->second.parts.empty()) return;
  RunningBranch& running = found->second;
  Round& round = running.rounds.back();
  Agent& agent = *running.parts.back();
  round.ends[round.part] = agent.clock;
  running.kept[round.task] = {agent.clock.of(agent.actor), std::move(agent.points)};
  running.parts.pop_back();
  const auto piece = pieces_.find(ticket);
  Agent* const outer = piece == pieces_.end() ? nullptr : piece->second.get();
  piece_here = running.parts.empty() ? outer : running.parts.back().get();
}

void Ordering::round_ended(Ticket ticket) {
  const Lock lock(*this);
  const auto found = branches_.find(ticket);
  if (found == branches_.end() || found->second.rounds.empty()) return;
  const Round round = std::move(found->second.rounds.back());
  found->second.rounds.pop_back();
  for (const Clock& end : round.ends) round.node->clock.learn(end);
}

void Ordering::host_waited(const std::vector<Ticket>& tickets) {
  const Lock lock(*this);
  Agent& waiting = host();
  Clock known;
  for (const Ticket ticket : tickets) {
    if (ticket != 0) learn_of(known, ticket);
  }
  learn(waiting, known);
  forget_if_quiet();
}

// Once the only host thread has waited for all work, whatever comes is ordered with whatever was.
void Ordering::forget_if_quiet() {
  if (live_host_threads_ != 1 || &host() != &unseen_host_) return;
  for (Actor actor = 1; actor < times_.size(); ++actor) {
    if (unseen_host_.clock.of(actor) < times_[actor]) return;
  }
  for (const auto& [ticket, piece] : pieces_) {
    if (!piece->has_ended) return;
  }
  if (!pieces_.empty()) first_ = pieces_.rbegin()->first + 1;
  histories_.forget();
  memory_.forget();
  forget_own_memory();
  streams_.clear();
  pieces_.clear();
  records_.clear();
  left_.clear();
  const std::uint32_t time = unseen_host_.clock.of(0);
  unseen_host_.clock = {};
  unseen_host_.clock.set(0, time);
  unseen_host_.points.clear();
  unseen_host_.last_key = 0;
  times_.clear();
  actors_ = 1;
}

bool Ordering::is_other_stream_busy(std::uint64_t stream) {
  Agent& asking = host();
  for (const auto& [number, other] : streams_) {
    if (number != stream && asking.clock.of(other.actor) < times_[other.actor]) return true;
  }
  return false;
}

void Ordering::leave_at(std::uintptr_t object) {
  left_[object].learn(tell(host()));
}

Agent* piece_of_this_thread() {
  return piece_here;
}

}  // namespace emulator::ordering
