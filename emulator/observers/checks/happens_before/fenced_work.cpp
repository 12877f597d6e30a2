#include "observers/checks/happens_before/fenced_work.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace emulator::checks {

void FencedWork::add(const FencedWork& more) {
  if (more.empty() || *this == more) return;
  if (empty()) {
    *this = more;
    return;
  }
  auto both = std::make_shared<Segments>(*segments_);
  for (std::size_t i = 0; i < both->size(); ++i) {
    (*both)[i] = std::max((*both)[i], (*more.segments_)[i]);
  }
  if (*both == *segments_) return;
  if (*both == *more.segments_) {
    *this = more;
    return;
  }
  segments_ = std::move(both);
}

}  // namespace emulator::checks
