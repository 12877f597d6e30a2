#pragma once
/// \file
/// File descriptors, pipes, and what is read from them and written to them.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace processes {

/// A file descriptor, closed at the end of its life.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_;
};

/// Both ends of a pipe. A child has them only where they become streams of its own.
/// \throws std::system_error if none can be opened
struct Pipe {
  Pipe();
  FileDescriptor read;
  FileDescriptor write;
};

/// Reads what is there by now, or what comes first.
/// \return a part of the buffer, empty at the end
std::string_view read_some(const FileDescriptor& file, std::span<char> buffer);

/// Reads to the end.
std::string read_all(const FileDescriptor& file);

/// Writes all of a text, unless an error comes between: a reader that is gone can say why itself.
void write_all(int file, std::string_view text);

/// Cuts a text that comes in pieces into lines.
class LineCutter {
 public:
  /// Is given each line, without the line break.
  using Taker = std::function<void(std::string_view)>;

  void add(std::string_view text, const Taker& take);
  /// Hands over a last line that has no line break.
  void finish(const Taker& take);

 private:
  std::string pending_;
};

}  // namespace processes
