#include "observers/checks/kernels/code_sites.hpp"

#include <algorithm>

#include "base/source_places.hpp"

namespace emulator::checks {

void CodeSite::begin_launch() {
  extent_.region = nullptr;
  races_ = false;
  came_as_ = again_as_ = 0;
}

void CodeSite::note_coming(const Request& request, const RunningBlock& running) {
  static std::uint64_t comings = 0;
  const dim3 block = running.block_of(running.thread_of(0));
  if (came_as_ != 0) {
    const bool is_first_warp = running.warp() == first_warp_ && block.x == first_block_.x &&
                               block.y == first_block_.y && block.z == first_block_.z;
    if (is_first_warp) again_as_ = ++comings;
    return;
  }
  came_as_ = ++comings;
  const AccessKind kind = Access::kind_of(request.what);
  reads_ = reads_memory(kind);
  writes_ = writes_memory(kind);
  first_block_ = block;
  first_warp_ = running.warp();
  first_ = {};
  for (unsigned i = 0; i < request.active; ++i) {
    first_[request.lane[i] & 31U] = request.address[i];
  }
}

bool CodeSite::is_of_same_warp(const CodeSite& other) const {
  const dim3& block = other.first_block_;
  return first_warp_ == other.first_warp_ && first_block_.x == block.x &&
         first_block_.y == block.y && first_block_.z == block.z;
}

bool CodeSite::writes_a_word_twice() const {
  if (!writes_ || came_as_ == 0) return false;
  std::array<std::uint64_t, warp_size> words = first_;
  std::sort(words.begin(), words.end());
  for (unsigned i = 1; i < warp_size; ++i) {
    if (words[i] != 0 && words[i] == words[i - 1]) return true;
  }
  return false;
}

// Each lane that writes has read just that before, once: seen in the first warp, which is the same
// for both. The readers also write, or several lanes write one word: a leader that counts for
// its warp is not an update by many. (x[i] += x[j] reads at two places, and at one of them it is
// something else than what is written.)
bool CodeSite::updates_what_is_read_at(const CodeSite& reader) const {
  if (!writes_ || !reader.reads_ || reader.came_as_ == 0 || came_as_ < reader.came_as_)
    return false;
  if (reader.again_as_ != 0 && reader.again_as_ < came_as_) return false;
  if (!is_of_same_warp(reader)) return false;
  bool all_write = true;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (first_[lane] != 0 && first_[lane] != reader.first_[lane]) return false;
    all_write = all_write && (first_[lane] != 0) == (reader.first_[lane] != 0);
  }
  return all_write || writes_a_word_twice();
}

bool CodeSite::knows_more_by(const CodeSite& reader) const {
  if (!reader.reads_ || reader.came_as_ == 0 || came_as_ < reader.came_as_) return false;
  if (!is_of_same_warp(reader) || reader.extent_.begin != extent_.begin) return false;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t read = reader.first_[lane];
    if (first_[lane] != 0 && read != 0 && read != first_[lane]) return true;
  }
  return false;
}

bool CodeSite::is_of_library() const {
  if (!is_of_library_) is_of_library_ = base::is_of_library(place_of(pc_).file);
  return *is_of_library_;
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

// A thread that has read more of the memory than the word sorts, or adds up a tree: there a barrier
// is missing. Where several lanes write one word in one step no barrier would do.
bool CodeSites::are_update(const CodeSite& load, const CodeSite& store) const {
  if (!store.updates_what_is_read_at(load)) return false;
  return store.writes_a_word_twice() ||
         std::none_of(sites_.begin(), sites_.end(),
                      [&](const auto& entry) { return store.knows_more_by(entry->site); });
}

bool CodeSites::is_update(const CodeSite& store) const {
  return std::any_of(sites_.begin(), sites_.end(),
                     [&](const auto& entry) { return are_update(entry->site, store); });
}

bool CodeSites::is_read_to_update(const CodeSite& load) const {
  return std::any_of(sites_.begin(), sites_.end(),
                     [&](const auto& entry) { return are_update(load, entry->site); });
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
