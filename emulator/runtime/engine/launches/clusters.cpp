#include "engine/launches/clusters.hpp"

#include <algorithm>

namespace emulator::engine {
namespace {

dim3 divided(const dim3& a, const dim3& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}

}  // namespace

// ---------------------------------------------------------------- the launch

ClusteredGrid::ClusteredGrid(const Configuration& configuration, unsigned teams)
    : shape_(configuration.cluster),
      clusters_of_grid_(divided(configuration.grid, configuration.cluster)),
      clusters_(std::uint64_t{clusters_of_grid_.x} * clusters_of_grid_.y * clusters_of_grid_.z) {
  for (unsigned i = 0; i < teams; ++i) teams_.push_back(std::make_unique<Cluster>(*this));
}

uint3 ClusteredGrid::first_block(std::uint64_t cluster) const {
  const uint3 place = place_in(clusters_of_grid_, cluster);
  return {place.x * shape_.x, place.y * shape_.y, place.z * shape_.z};
}

Cluster* ClusteredGrid::join(const Worker& worker, RunningBlock& running, unsigned& rank) {
  const unsigned seat = seats_.fetch_add(1);
  if (seat / blocks() >= teams_.size()) return nullptr;
  Cluster& team = *teams_[seat / blocks()];
  rank = seat % blocks();
  team.seat(rank, worker, running);
  return &team;
}

// ---------------------------------------------------------------- turns

Cluster::Cluster(ClusteredGrid& grid)
    : grid_(grid), wakes_(grid.blocks()), blocks_(grid.blocks()) {}

void Cluster::seat(unsigned rank, const Worker& worker, RunningBlock& running) {
  const std::lock_guard lock(mutex_);
  blocks_[rank].worker = &worker;
  blocks_[rank].running = &running;
  if (++seated_ == blocks_.size()) take_next();
}

void Cluster::take_next() {
  number_ = grid_.take_next();
  has_cluster_ = !failed_ && !grid_.is_stopped() && number_ < grid_.clusters();
  barriers_.clear();
  for (Block& block : blocks_) {
    block.state = State::ready;
    block.is_stuck = false;
  }
  level_ = Turn::goes_on;
  turn_ = spins_ = 0;
  for (std::condition_variable& wake : wakes_) wake.notify_all();
}

bool Cluster::begin(unsigned rank) {
  std::unique_lock lock(mutex_);
  wakes_[rank].wait(lock, [&] {
    if (failed_) return true;
    if (seated_ != blocks_.size()) return false;
    if (!has_cluster_) return true;
    return turn_ == rank && blocks_[rank].state == State::ready;
  });
  if (failed_ || !has_cluster_) return false;
  blocks_[rank].state = State::begun;
  return true;
}

// The next block after that one that has not ended and is not stuck has its turn.
bool Cluster::give_turn_after(unsigned rank) {
  for (unsigned i = 1; i <= blocks(); ++i) {
    const unsigned next = (rank + i) % blocks();
    if (blocks_[next].state == State::ended || blocks_[next].is_stuck) continue;
    turn_ = next;
    wakes_[next].notify_all();
    return true;
  }
  return false;
}

// The same; if there is none, what has been put off happens, step by step.
void Cluster::pass_on(unsigned rank) {
  if (give_turn_after(rank)) return;
  if (level_ != Turn::for_ever) level_ = static_cast<Turn>(static_cast<int>(level_) + 1);
  for (Block& block : blocks_) block.is_stuck = false;
  give_turn_after(rank);
}

Cluster::Turn Cluster::wait(std::unique_lock<std::mutex>& lock, unsigned rank) {
  wakes_[rank].wait(lock, [&] { return failed_ || turn_ == rank; });
  return failed_ ? Turn::failed : level_;
}

Cluster::Turn Cluster::wait_for_turn(unsigned rank) {
  std::unique_lock lock(mutex_);
  blocks_[rank].is_stuck = true;
  pass_on(rank);
  return wait(lock, rank);
}

// What it spins for may be something that has been put off.
Cluster::Turn Cluster::let_others(unsigned rank) {
  constexpr unsigned many = 200;
  std::unique_lock lock(mutex_);
  if (failed_) return Turn::failed;
  level_ = ++spins_ % many == 0 ? Turn::latest : Turn::goes_on;
  for (unsigned i = 0; i < blocks(); ++i) blocks_[i].is_stuck = i == rank;
  const bool passes = give_turn_after(rank);
  blocks_[rank].is_stuck = false;
  return passes ? wait(lock, rank) : Turn::goes_on;
}

void Cluster::goes_on() {
  const std::lock_guard lock(mutex_);
  level_ = Turn::goes_on;
  spins_ = 0;
  for (Block& block : blocks_) block.is_stuck = false;
}

bool Cluster::end(unsigned rank) {
  const std::lock_guard lock(mutex_);
  blocks_[rank].state = State::ended;
  level_ = Turn::goes_on;
  for (Block& block : blocks_) block.is_stuck = false;
  if (give_turn_after(rank)) return false;
  take_next();
  return true;
}

void Cluster::fail() {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  grid_.stop();
  for (std::condition_variable& wake : wakes_) wake.notify_all();
}

uint3 Cluster::block_index(unsigned rank) const {
  const uint3 first = grid_.first_block(number_);
  const uint3 place = place_in(grid_.shape(), rank);
  return {first.x + place.x, first.y + place.y, first.z + place.z};
}

}  // namespace emulator::engine
