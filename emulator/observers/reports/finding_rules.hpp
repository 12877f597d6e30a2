#pragma once
/// \file
/// The kinds of findings: what each is about, for programs that show findings by their rules.

#include <span>

#include "base/rooms.hpp"
#include "emulator/findings.h"

namespace emulator::reports {

/// A kind of finding, as docs/finding-bugs.md explains it at length.
struct FindingRule {
  const char* kind;         ///< Finding::kind
  Severity severity;        ///< what such findings usually are
  const char* title;        ///< a few words
  const char* description;  ///< one or two sentences
};

/// All kinds there are.
std::span<const FindingRule> finding_rules();

}  // namespace emulator::reports
