#pragma once
/// \file
/// Memory that nodes of graphs allocate. Its address is known from the making of the node on, and
/// is the same in every launch; the pages come with a launch, and go when the memory is freed.

#include <cstddef>
#include <memory>

#include "base/call_site.hpp"
#include "base/rooms.hpp"
#include "emulator/host/graph_types.h"

namespace emulator::graphs {

class GraphMemory {
 public:
  /// Null if the host has not that much memory to give.
  static std::shared_ptr<GraphMemory> reserve(const cudaMemAllocNodeParams& wanted,
                                              const char* made_by);
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  /// As asked for; dptr is the address.
  const cudaMemAllocNodeParams& parameters() const { return parameters_; }
  void* pointer() const { return parameters_.dptr; }

  /// A launch has been issued that allocates it. False if the host has no memory left.
  bool begin_use();
  /// Its free's turn has come: the last one of those that were issued takes the pages away. False
  /// if it was not allocated.
  bool end_use(const char* freed_by);

  /// What the issue of work says, whether that has run or not: from a launch that leaves the memory
  /// allocated to what frees it.
  bool is_held = false;
  /// The graph that frees it, by its number; 0 if none does.
  std::size_t freed_in = 0;

 private:
  GraphMemory(const cudaMemAllocNodeParams& parameters, const char* made_by);

  cudaMemAllocNodeParams parameters_;
  const char* made_by_;
  CallStack made_at_;
  int uses_ = 0;
  bool is_new_ = true;  // the pages are those of reserve()
};

/// The memory that starts there, if a graph's node that still exists allocates it.
GraphMemory* graph_memory_at(const void* pointer);

/// The device is reset, after its graphs: nothing is kept for them.
void reset_graph_memory();

/// Somebody frees the memory outside graphs: as far as issuing goes it is free.
void note_free_issued(const void* pointer);

}  // namespace emulator::graphs
