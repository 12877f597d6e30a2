#pragma once
/// \file
/// The fibers of a worker: each thread has one from its beginning to its end.

#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "engine/fiber.hpp"
#include "engine/lane.hpp"

namespace emulator::engine {

/// Makes fibers as they are needed, and keeps them for the threads to come.
class FiberPool {
 public:
  /// Gives one to a lane that begins.
  void lend(Lane& lane);
  /// The lane has ended.
  void take_back(Lane& lane);
  /// After a failure the fibers are in the middle of a kernel that will not go on.
  void reset();

 private:
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
};

}  // namespace emulator::engine
