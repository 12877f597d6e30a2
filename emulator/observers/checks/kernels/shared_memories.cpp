#include "observers/checks/kernels/shared_memories.hpp"

#include <utility>

#include "base/variables.hpp"

namespace emulator::checks {

std::unique_ptr<Region> SharedMemories::make_region(std::uintptr_t begin) const {
  return std::make_unique<Region>(begin, bytes_, /*written=*/true, 0);
}

void SharedMemories::begin_launch(const ObservedLaunch& launch) {
  begin_ = launch.shared;
  dynamic_ = launch.dynamic;
  bytes_ = launch.shared_bytes;
  dynamic_bytes_ = launch.dynamic_bytes;
  dynamic_limit_ = launch.dynamic_limit;
  if (turn_) own_ = nullptr;  // of the last block of a cooperative launch
  turn_.reset();
  parked_.clear();
  cluster_.clear();
  cluster_regions_.clear();
  if (own_ == nullptr) own_ = make_region(begin_);
}

void SharedMemories::begin_block(std::uint32_t segment) {
  since_ = segment;
  narrow_.clear();
  own_->has_narrow = false;
}

void SharedMemories::begin_turn(std::uint64_t number, std::uintptr_t shared, std::uintptr_t dynamic,
                                std::uint32_t segment) {
  if (!turn_) {
    since_ = segment;
  } else {
    Parked& last = parked_[*turn_];
    last.region = std::move(own_);
    last.narrow = std::move(narrow_);
  }
  Parked& next = parked_[number];
  own_ = std::move(next.region);
  narrow_ = std::move(next.narrow);
  begin_ = shared;
  dynamic_ = dynamic;
  if (own_ == nullptr) {
    own_ = make_region(shared);
    narrow_.clear();
  }
  turn_ = number;
}

bool SharedMemories::begin_cluster(const std::vector<std::uintptr_t>& memories,
                                   std::optional<std::uint64_t> turn, std::uint32_t segment) {
  const bool goes_on = turn && cluster_regions_.contains(memories.front());
  if (!turn || !turn_) {
    since_ = segment;
    narrow_.clear();
  }
  if (turn) turn_ = turn;
  cluster_.clear();
  for (const std::uintptr_t begin : memories) {
    std::unique_ptr<Region>& region = cluster_regions_[begin];
    if (region == nullptr) region = make_region(begin);
    if (!goes_on) region->has_narrow = false;
    cluster_.push_back({begin, begin + (dynamic_ - begin_), region.get()});
  }
  return goes_on;
}

std::optional<unsigned> SharedMemories::rank_at(std::uint64_t address) const {
  for (unsigned rank = 0; rank < cluster_.size(); ++rank) {
    if (address - cluster_[rank].begin < bytes_) return rank;
  }
  return std::nullopt;
}

SharedMemory SharedMemories::at(std::uint64_t address) const {
  if (const auto rank = rank_at(address)) return cluster_[*rank];
  return {begin_, dynamic_, own_.get()};
}

std::optional<Extent> SharedMemories::extent_at(std::uint64_t address) const {
  const SharedMemory memory = at(address);
  if (address - memory.dynamic < dynamic_limit_) {
    return Extent{memory.region, memory.dynamic, memory.dynamic + dynamic_bytes_};
  }
  if (const auto variable = find_shared_variable(address - memory.begin)) {
    const std::uint64_t begin = memory.begin + variable->begin;
    return Extent{memory.region, begin, begin + variable->bytes};
  }
  // Without a symbol table nothing is known of the single variables.
  if (has_variables()) return std::nullopt;
  return Extent{memory.region, memory.begin, memory.begin + bytes_};
}

bool SharedMemories::is_byte_written(const Region& region, std::uint64_t address) const {
  if (is_written(*region.writes(address))) return true;
  const auto found = narrow_.find(address);
  return found != narrow_.end() && is_written(found->second.write);
}

}  // namespace emulator::checks
