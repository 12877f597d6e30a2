#pragma once
/// \file
/// With several devices the work of one of them runs at a time. What all of a process has in common
/// is then as it is for that device: which memory can be touched, and what the program's variables
/// hold. With one device nothing of this is done.

#include <vector>

#include "base/devices/turn_queue.hpp"
#include "base/host_state.hpp"
#include "base/rooms.hpp"

namespace emulator::base {

/// While one lives, this host thread runs work, and no other does. They may be nested.
class DeviceTurn {
 public:
  DeviceTurn();
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn&) = delete;
  DeviceTurn& operator=(const DeviceTurn&) = delete;
};

/// While one lives, the program's `__device__` and `__constant__` variables are that device's: each
/// has its own, all with the same values to begin with. `__managed__` ones are everybody's. Without
/// one, they are device 0's. This host thread has its turn.
class VariablesOf {
 public:
  explicit VariablesOf(int device);
  ~VariablesOf();
  VariablesOf(const VariablesOf&) = delete;
  VariablesOf& operator=(const VariablesOf&) = delete;

 private:
  int before_;
};

/// While one lives, the calling host thread does nothing but this launch, of which whoever has
/// begun it may take leave. The first turn that it has is the launch's.
class RunsAside {
 public:
  explicit RunsAside(Aside& launch);
  ~RunsAside();
  RunsAside(const RunsAside&) = delete;
  RunsAside& operator=(const RunsAside&) = delete;
};

/// While one lives, work that may wait for other devices' has its turn.
class SharedTurn {
 public:
  SharedTurn();

  /// Whether it may give way: else it is done before anything else is.
  bool can_give_way() const { return launch_ != nullptr; }
  /// Others have their turns. Whatever thread of the work calls, none does anything else.
  /// \param got_on whether it has done something since it gave way the last time
  void give_way(bool got_on);

 private:
  DeviceTurn turn_;
  Aside* launch_;
};

/// While one lives, a kernel of the device in use runs: memory that it may not use cannot be
/// touched, and the variables are its own.
class KernelView {
 public:
  KernelView();
  ~KernelView();
  KernelView(const KernelView&) = delete;
  KernelView& operator=(const KernelView&) = delete;

  bool can_give_way() const { return turn_.can_give_way(); }
  void give_way(bool got_on);

 private:
  void hide();
  void show();

  SharedTurn turn_;
  int device_;
  VariablesOf variables_;
  std::vector<Allocation> hidden_{};
};

}  // namespace emulator::base
