#pragma once
/// \file
/// Which actors access memory that several can reach, and where in the program that is: what a
/// finding needs to name both sides.

#include <cstdint>
#include <map>
#include <vector>

#include "base/call_site.hpp"
#include "base/rooms.hpp"
#include "events/stream_watcher.hpp"
#include "observers/ordering/clock.hpp"

namespace emulator::ordering {

/// What is done when memory is accessed.
enum class Work : std::uint8_t {
  host,           ///< the program's host code
  host_function,  ///< the same, in a stream
  kernel,
  copy,
  set,
  library,
  condition,   ///< a conditional node of a graph looks at its value
  allocation,  ///< of memory, in the order of a stream
  free
};

/// A place in the program, by an actor. An actor that comes by again is at the same place.
struct Place {
  Work work = Work::host;
  const char* name = "";    ///< of the kernel, or of the API's function
  std::uint64_t pc = 0;     ///< of the access; 0 if that was not a code of the program's
  std::uint32_t stack = 0;  ///< of the call that asked for the work, or of the host's access
  Actor actor = 0;
  Actor issuer = 0;  ///< the host thread
  Blocks blocks = Blocks::blocking;
  int device = 0;

  auto operator<=>(const Place&) const = default;
};

/// An access as it is remembered: by what, when, where.
struct Point {
  Actor actor = 0;
  std::uint32_t time = 0;
  std::uint32_t place = 0;
  bool is_strong = false;  ///< an atomic, or volatile
  Ticket ticket = 0;       ///< of the piece of work; 0 for a host thread
  // Of strong accesses, for other devices:
  int device = 0;
  bool is_narrow = false;  ///< an atomic operation that is not atomic for them
  bool is_fenced = true;   ///< what was written before is seen before
};

/// Gives things numbers: equal things equal numbers, from 0 on.
template <class Thing>
class Numbered {
 public:
  std::uint32_t number_of(const Thing& thing) {
    const auto [entry, is_new] =
        numbers_.try_emplace(thing, static_cast<std::uint32_t>(things_.size()));
    if (is_new) things_.push_back(&entry->first);
    return entry->second;
  }
  const Thing& operator[](std::uint32_t number) const { return *things_[number]; }

  void clear() {
    things_.clear();
    numbers_.clear();
  }

 private:
  std::map<Thing, std::uint32_t> numbers_;
  std::vector<const Thing*> things_;
};

}  // namespace emulator::ordering
