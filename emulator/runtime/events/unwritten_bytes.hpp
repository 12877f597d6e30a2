#pragma once
/// \file
/// Device memory that the host fetches, or a library reads, although nobody has written it.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/rooms.hpp"

namespace emulator::events {

/// Looks at what one call copies to the host or reads, row by row, and makes a finding of it.
class UnwrittenBytes {
 public:
  /// A row of the source.
  void add(const void* from, std::size_t bytes);
  /// Adds the finding, if there is one.
  /// \param reader of a library's function, how its sentence begins: `cublasSgemv reads as x `
  void report(const std::string& reader = "") const;

 private:
  void end_run(std::uint64_t end);

  std::uint64_t first_ = 0;  // address of the first such byte
  std::uint64_t bytes_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t run_begin_ = 0;  // of the run that is not over yet; 0: none
  std::uint64_t longest_ = 0;
  std::uint64_t shortest_ = UINT64_MAX;
};

}  // namespace emulator::events
