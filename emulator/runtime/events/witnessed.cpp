#include "events/witnessed.hpp"

namespace emulator::events {

bool is_witnessed = false;

// Calls of it must stay, and their arguments.
extern "C" [[gnu::noinline]] void emulator_tell_witness(Announcement what, std::uint64_t first,
                                                        std::uint64_t second) {
  __asm__ volatile("" : : "r"(what), "r"(first), "r"(second) : "memory");
}

}  // namespace emulator::events
