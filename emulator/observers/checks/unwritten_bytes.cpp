#include "events/unwritten_bytes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/words.hpp"
#include "events/findings.hpp"
#include "observers/checks/finding_text.hpp"
#include "observers/checks/host_findings.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::events {

using namespace checks;

void UnwrittenBytes::end_run(std::uint64_t end) {
  if (run_begin_ == 0) return;
  const std::uint64_t length = end - run_begin_;
  if (runs_ == 0) first_ = run_begin_;
  ++runs_;
  bytes_ += length;
  longest_ = std::max(longest_, length);
  shortest_ = std::min(shortest_, length);
  run_begin_ = 0;
}

void UnwrittenBytes::add(const void* from, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  const Region* const region = region_of(begin);
  if (region == nullptr || region->is_written() || region->unwritten(begin, bytes) == 0) return;
  for (std::uint64_t address = begin; address < begin + bytes; ++address) {
    if (region->unwritten(address, 1) == 0) {
      end_run(address);
    } else if (run_begin_ == 0) {
      run_begin_ = address;
    }
  }
  end_run(begin + bytes);
}

// Many short gaps, all of one length, look like the padding of structures, which nobody writes.
void UnwrittenBytes::report(const std::string& reader) const {
  if (runs_ == 0) return;
  const bool is_copy = reader.empty();
  const bool like_padding = is_copy && runs_ > 1 && longest_ == shortest_ && longest_ < 16;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was noted
  const auto allocation = lookup(reinterpret_cast<const void*>(first_));
  if (!allocation) return;
  Finding finding;
  finding.severity = like_padding ? Severity::note : Severity::error;
  finding.kind = "uninitialised";
  finding.what = (is_copy ? "the host fetches " : reader) + counted_bytes(bytes_) +
                 " that nothing has written" +
                 (like_padding ? ", which may be the padding of structures" : "");
  finding.remedy = is_copy ? "copy no more than was computed, or let the kernel write every element"
                           : "copy data there first, or let a kernel write every element";
  set_place(finding, call_stack(), is_copy ? "copied here" : "called here");
  add_other(finding, allocation->made_at, std::string("allocated here by ") + allocation->made_by);
  finding.memory = describe(*allocation);
  finding.bytes = allocation->size;
  finding.offset = static_cast<std::int64_t>(first_ - allocation->base);
  finding.access_bytes = 1;
  add_finding(std::move(finding));
  print_new_findings();
}

// What was copied counts as written as far as it was at the source; and if the host gets something
// that nothing has written, that is a finding.
void box_copied(const Box& to, const Box& from, const cudaExtent& extent) {
  UnwrittenBytes unwritten;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (lookup(to.row(y, z)).has_value()) {
        memory_copied(to.row(y, z), from.row(y, z), extent.width);
      } else {
        unwritten.add(from.row(y, z), extent.width);
      }
    }
  }
  unwritten.report();
}

}  // namespace emulator::events
