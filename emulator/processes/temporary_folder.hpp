#pragma once
/// \file
/// A place for what one program leaves for the next.

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace processes {

/// A folder that is gone at the end of its life, with all that is in it.
class TemporaryFolder {
 public:
  /// \param place the folder to make it in
  /// \param purpose what its name begins with
  /// \throws std::system_error if it cannot be made
  TemporaryFolder(const std::filesystem::path& place, const std::string& purpose) {
    std::string name = (place / (purpose + "-XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "cannot make a folder " + name);
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace processes
