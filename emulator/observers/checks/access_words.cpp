#include "observers/checks/access_words.hpp"

namespace emulator::checks {
namespace {

bool reads_only(AccessKind kind) {
  return kind == AccessKind::global_load || kind == AccessKind::shared_load ||
         kind == AccessKind::constant_load || kind == AccessKind::foreign_load;
}

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic;
}

}  // namespace

const char* verb_of(AccessKind kind) {
  return reads_only(kind) ? "reads" : is_atomic(kind) ? "atomically changes" : "writes";
}

const char* event_of(AccessKind kind) {
  return reads_only(kind)  ? "read by "
         : is_atomic(kind) ? "changed by an atomic of "
                           : "written by ";
}

}  // namespace emulator::checks
