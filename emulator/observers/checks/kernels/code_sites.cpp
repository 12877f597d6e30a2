#include "observers/checks/kernels/code_sites.hpp"

namespace emulator::checks {

void CodeSite::begin_launch() {
  extent_.region = nullptr;
  races_ = has_come_ = false;
}

void CodeSite::note_first(const Request& request, const RunningBlock& running) {
  has_come_ = true;
  first_block_ = running.block_of(running.thread_of(0));
  first_warp_ = running.warp();
  first_ = {};
  for (unsigned i = 0; i < request.active; ++i) {
    first_[request.lane[i] & 31U] = request.address[i];
  }
}

// Each lane that writes has read just that before: seen in the first warp, which is the same for
// both. (x[i] += x[j] reads at two places, and at one of them it is something else than what is
// written.)
bool CodeSite::updates_what_is_read_at(const CodeSite& reader) const {
  const dim3& block = reader.first_block_;
  if (first_warp_ != reader.first_warp_ || first_block_.x != block.x || first_block_.y != block.y ||
      first_block_.z != block.z) {
    return false;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (first_[lane] != 0 && first_[lane] != reader.first_[lane]) return false;
  }
  return true;
}

void CodeSite::note_copy(const BulkCopy& copy) {
  extent_ = {};  // not that of the copy's other side
  copies_in_bulk_ = true;
  copies_out_ = !copy.is_in;
  multiplies_ = copy.is_operand;
  stores_ = copy.is_store;
}

const char* CodeSite::copier_text() const {
  return multiplies_ ? "wgmma" : stores_ ? "an asynchronous store" : "a bulk copy";
}

void CodeSites::begin_launch() {
  for (const auto& entry : sites_) entry->site.begin_launch();
}

CodeSite& CodeSites::look_up(std::uint64_t pc) {
  const auto [found, is_new] = numbers_.emplace(pc, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(std::make_unique<Entry>(pc, found->second));
  Entry* const entry = sites_[found->second].get();
  if (last_ != nullptr) last_->follower = entry;
  last_ = entry;
  return entry->site;
}

}  // namespace emulator::checks
