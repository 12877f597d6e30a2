#include "observers/checks/kernels/running_block.hpp"

#include "base/extents.hpp"
#include "base/words.hpp"

namespace emulator::checks {

void RunningBlock::begin_launch(const ObservedLaunch& launch) {
  launch_ = launch;
  threads_of_block_ = (volume(launch.block) + warp_size - 1) / warp_size * warp_size;
  is_of_cluster_ = false;
  turns_.clear();
}

void RunningBlock::begin_turn(const dim3& block, std::uint64_t number) {
  block_ = block;
  turns_.push_back(number);
}

void RunningBlock::begin_cluster(const dim3& first_block, const dim3& shape,
                                 std::optional<std::uint64_t> turn) {
  block_ = first_block;
  cluster_shape_ = shape;
  is_of_cluster_ = true;
  if (turn) turns_.push_back(*turn);
}

dim3 RunningBlock::block_of(unsigned thread) const {
  if (!is_of_cluster_) return block_;
  const uint3 place = place_in(cluster_shape_, rank_of(thread));
  return {block_.x + place.x, block_.y + place.y, block_.z + place.z};
}

dim3 RunningBlock::index_of(unsigned thread) const {
  const dim3& size = launch_.block;
  thread %= threads_of_block_;
  return {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}

std::string RunningBlock::thread_text(unsigned thread) const {
  return checks::thread_text(index_of(thread), block_of(thread));
}

std::string RunningBlock::other_block_text(std::size_t begun) const {
  const std::uint64_t block = turns_.empty() ? begun : turns_[begun];
  const dim3 size = is_of_cluster_ ? cluster_shape_ : dim3(1, 1, 1);
  const dim3 grid(launch_.grid.x / size.x, launch_.grid.y / size.y, launch_.grid.z / size.z);
  const uint3 place = place_in(grid, block);
  return std::string("a thread of ") +
         (is_of_cluster_ ? "the cluster that begins with block " : "block ") +
         triple({place.x * size.x, place.y * size.y, place.z * size.z});
}

}  // namespace emulator::checks
