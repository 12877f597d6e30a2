/// @file
/// One at a time: two of us must not write the same files of a build folder.
#pragma once

#include <filesystem>

#include "host/checkout.hpp"
#include "host/progress.hpp"

namespace course::tool {

/// A lock on a file, as long as this object lives. It is the system's: it ends with the process
/// that holds it, however that ends. Where a file system knows no locks we do without.
class BuildLock {
 public:
  /// Waits until nobody else holds it, and says so.
  /// @throws Interrupted on SIGINT, SIGTERM or SIGHUP meanwhile
  static BuildLock of_build(const Checkout& checkout, Progress& progress);
  /// The same, of a folder with what is made of a student's file. One exercise keeps no other one
  /// waiting.
  static BuildLock of_folder(const std::filesystem::path& folder, Progress& progress);

  BuildLock(BuildLock&& other) noexcept;
  BuildLock& operator=(BuildLock&&) = delete;
  ~BuildLock();

 private:
  explicit BuildLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace course::tool
