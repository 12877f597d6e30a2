#pragma once
/// \file
/// Objects of the program's that live for as long as somebody refers to them: graphs, executable
/// graphs, the program itself.

#include <map>

#include "base/rooms.hpp"
#include "emulator/host/graph_types.h"

namespace emulator::graphs {

/// The references of one graph. A copy refers to the same objects, once to each.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences& operator=(const UserReferences&) = delete;
  ~UserReferences();

  bool empty() const { return counts_.empty(); }
  /// \param is_new whether to count them for the object, too
  cudaError_t add(cudaUserObject_t object, unsigned count, bool is_new);
  cudaError_t remove(cudaUserObject_t object, unsigned count);

 private:
  std::map<cudaUserObject_t, unsigned> counts_;
};

}  // namespace emulator::graphs
