#include "libraries/nccl/clique.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/call_site.hpp"
#include "base/details.hpp"
#include "emulator/host/host_api.h"
#include "events/findings.hpp"
#include "events/host_accesses.hpp"
#include "libraries/common/device_work.hpp"

namespace emulator::nccl {
namespace {

std::string text_of(const Part& part) {
  const Operation& operation = *part.operation;
  std::string text = std::string(operation.function) + " of rank " + std::to_string(part.rank);
  if (operation.kind == Kind::send) text += " to rank " + std::to_string(operation.peer);
  if (operation.kind == Kind::receive) text += " from rank " + std::to_string(operation.peer);
  return text;
}

bool has_root(Kind kind) {
  return kind == Kind::reduce || kind == Kind::broadcast;
}
bool reduces(Kind kind) {
  return kind == Kind::all_reduce || kind == Kind::reduce || kind == Kind::reduce_scatter;
}

// In what two operations that meet differ, and must not.
std::string difference_of(const Operation& a, const Operation& b) {
  const auto number = [](auto value) { return std::to_string(static_cast<long long>(value)); };
  if (!is_between_two(a.kind) && a.kind != b.kind) return "they are not the same operation";
  if (a.bytes() != b.bytes() || (!is_between_two(a.kind) && a.count != b.count)) {
    return "they have " + number(a.count) + " elements of " + number(bytes_of(a.type)) +
           " bytes and " + number(b.count) + " of " + number(bytes_of(b.type));
  }
  if (a.type != b.type) return "their elements are of different types";
  if (has_root(a.kind) && a.peer != b.peer) {
    return "their roots are ranks " + number(a.peer) + " and " + number(b.peer);
  }
  const auto is_multiplied = [](const Operation& one) {
    return one.reduction.scalar != nullptr || !one.reduction.immediate.empty();
  };
  if (reduces(a.kind) &&
      (a.reduction.op != b.reduction.op || is_multiplied(a) != is_multiplied(b))) {
    return "their elements are combined in different ways";
  }
  return "";
}

using Bytes = std::vector<std::byte>;

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0 && to != from) std::memmove(to, from, bytes);
}

Bytes reduce_all(const std::vector<const Operation*>& ranks, std::size_t count) {
  const ncclDataType_t type = ranks.front()->type;
  std::vector<Contribution> contributions;
  contributions.reserve(ranks.size());
  for (const Operation* const one : ranks) contributions.push_back({one->send, &one->reduction});
  Bytes result(count * bytes_of(type));
  if (count > 0) reduce(contributions, count, type, result.data());
  return result;
}

// Results may lie where other ranks' operands do: they are written once all of them are known.
void perform(const std::vector<const Operation*>& ranks) {
  const Operation& first = *ranks.front();
  const std::size_t bytes = first.bytes();
  switch (first.kind) {
    case Kind::all_reduce: {
      const Bytes sums = reduce_all(ranks, first.count);
      for (const Operation* const one : ranks) copy(one->receive, sums.data(), bytes);
      return;
    }
    case Kind::reduce: {
      const Bytes sums = reduce_all(ranks, first.count);
      copy(ranks[static_cast<std::size_t>(first.peer)]->receive, sums.data(), bytes);
      return;
    }
    case Kind::broadcast: {
      const auto* const from =
          static_cast<const std::byte*>(ranks[static_cast<std::size_t>(first.peer)]->send);
      const Bytes kept(from, from + bytes);
      for (const Operation* const one : ranks) copy(one->receive, kept.data(), bytes);
      return;
    }
    case Kind::all_gather: {
      Bytes all;
      for (const Operation* const one : ranks) {
        const auto* const from = static_cast<const std::byte*>(one->send);
        all.insert(all.end(), from, from + bytes);
      }
      for (const Operation* const one : ranks) copy(one->receive, all.data(), all.size());
      return;
    }
    case Kind::reduce_scatter: {
      const Bytes sums = reduce_all(ranks, first.count * ranks.size());
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        copy(ranks[rank]->receive, sums.data() + rank * bytes, bytes);
      }
      return;
    }
    default:
      return;
  }
}

}  // namespace

// The root's alone is read, or written, where there is one.
std::size_t Operation::sent(int rank, int ranks) const {
  if (kind == Kind::receive || (kind == Kind::broadcast && rank != peer)) return 0;
  return kind == Kind::reduce_scatter ? count * static_cast<std::size_t>(ranks) : count;
}
std::size_t Operation::received(int rank, int ranks) const {
  if (kind == Kind::send || (kind == Kind::reduce && rank != peer)) return 0;
  return kind == Kind::all_gather ? count * static_cast<std::size_t>(ranks) : count;
}

Clique::Clique(int ranks) : waiting_(static_cast<std::size_t>(ranks)) {
  const QuietErrors quiet;
  if (order_checks_on) cudaMallocManaged(&order_word_, sizeof(*order_word_));
}

void Clique::free_order_word() {
  const QuietErrors quiet;
  cudaFree(std::exchange(order_word_, nullptr));
}

void Clique::arrive(std::vector<Part>& parts) {
  const std::lock_guard lock(mutex_);
  for (Part& part : parts) {
    const Kind kind = part.operation->kind;
    const int peer = part.operation->peer;
    if (kind == Kind::send) {
      sends_[{part.rank, peer}].push_back(&part);
    } else if (kind == Kind::receive) {
      receives_[{peer, part.rank}].push_back(&part);
    } else {
      waiting_[static_cast<std::size_t>(part.rank)].push_back(&part);
    }
  }
  while (do_next_collective()) {
  }
  for (const Part& part : parts) {
    const int peer = part.operation->peer;
    if (part.operation->kind == Kind::send) {
      while (do_next_pair(part.rank, peer)) {
      }
    } else if (part.operation->kind == Kind::receive) {
      while (do_next_pair(peer, part.rank)) {
      }
    }
  }
}

bool Clique::do_next_collective() {
  if (error_ != ncclSuccess ||
      std::ranges::any_of(waiting_, [](const auto& parts) { return parts.empty(); })) {
    return false;
  }
  std::vector<const Operation*> operations;
  for (const auto& parts : waiting_) operations.push_back(parts.front()->operation);
  for (const auto& parts : waiting_) {
    const Part& first = *waiting_.front().front();
    const std::string difference = difference_of(*first.operation, *parts.front()->operation);
    if (difference.empty()) continue;
    report_mismatch(first, *parts.front(), difference);
    return false;
  }
  perform(operations);
  for (auto& parts : waiting_) {
    parts.front()->is_done = true;
    parts.pop_front();
  }
  return true;
}

bool Clique::do_next_pair(int source, int target) {
  std::deque<Part*>& sends = sends_[{source, target}];
  std::deque<Part*>& receives = receives_[{source, target}];
  if (error_ != ncclSuccess || sends.empty() || receives.empty()) return false;
  Part& from = *sends.front();
  Part& to = *receives.front();
  const std::string difference = difference_of(*from.operation, *to.operation);
  if (!difference.empty()) {
    report_mismatch(from, to, difference);
    return false;
  }
  copy(to.operation->receive, from.operation->send, from.operation->bytes());
  from.is_done = to.is_done = true;
  sends.pop_front();
  receives.pop_front();
  return true;
}

void Clique::leave(const std::vector<Part>& parts) {
  const std::lock_guard lock(mutex_);
  const auto is_one = [&](const Part* part) {
    return part >= parts.data() && part < parts.data() + parts.size();
  };
  for (auto& rank : waiting_) std::erase_if(rank, is_one);
  for (auto& [ranks, sends] : sends_) std::erase_if(sends, is_one);
  for (auto& [ranks, receives] : receives_) std::erase_if(receives, is_one);
}

void Clique::fail(ncclResult_t error) {
  const std::lock_guard lock(mutex_);
  if (error_ == ncclSuccess) error_ = error;
}

ncclResult_t Clique::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void Clique::report_mismatch(const Part& a, const Part& b, const std::string& what) {
  error_ = ncclInvalidUsage;
  report_ranks(text_of(a) + " meets " + text_of(b) + ": " + what,
               "have all ranks call the same operations with the same arguments, in the same "
               "order");
}

std::string Clique::awaited_by(const Part& part) const {
  const std::lock_guard lock(mutex_);
  const Operation& operation = *part.operation;
  const auto at = [this](int rank) {
    const auto& parts = waiting_[static_cast<std::size_t>(rank)];
    const std::string text = "rank " + std::to_string(rank) + ", which has come to ";
    return text + (parts.empty() ? "no operation" : parts.front()->operation->function);
  };
  if (is_between_two(operation.kind)) {
    return std::string(operation.kind == Kind::send ? "ncclRecv" : "ncclSend") + " of rank " +
           std::to_string(operation.peer);
  }
  for (int rank = 0; rank < ranks(); ++rank) {
    if (waiting_[static_cast<std::size_t>(rank)].empty()) return at(rank);
  }
  return "its turn";
}

Clique::CallKey Clique::next_call(int rank, const Operation& operation) {
  switch (operation.kind) {
    case Kind::send:
      return {rank, operation.peer, calls_[{1, rank, operation.peer}]++};
    case Kind::receive:
      return {operation.peer, rank, calls_[{2, operation.peer, rank}]++};
    default:
      return {-1, -1, calls_[{0, rank, 0}]++};
  }
}

std::optional<int> Clique::note_call_without_group(int rank, const Operation& operation) {
  const std::lock_guard lock(mutex_);
  const CallKey key = next_call(rank, operation);
  const Call now{std::this_thread::get_id(), rank, key.number};
  const auto [entry, is_new] = without_group_.try_emplace({key.source, key.target}, now);
  Call& last = entry->second;
  if (is_new) return {};
  if (last.number == now.number && last.thread == now.thread) return last.rank;
  if (last.number < now.number) last = now;
  return {};
}

void Clique::note_call_in_group(int rank, const Operation& operation) {
  const std::lock_guard lock(mutex_);
  next_call(rank, operation);
}

void report_ranks(const std::string& what, const std::string& remedy) {
  if (!details_wanted()) {
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: error: %s\n", what.c_str());
    return;
  }
  Finding finding;
  finding.kind = "collective";
  finding.what = what;
  finding.remedy = remedy;
  set_place(finding, call_stack(), "called here");
  add_finding(std::move(finding));
  print_new_findings();
}

}  // namespace emulator::nccl
