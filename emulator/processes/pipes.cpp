#include "processes/pipes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <vector>

namespace processes {

void FileDescriptor::close() {
  if (is_open()) ::close(std::exchange(number_, -1));
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  read = FileDescriptor(ends[0]);
  write = FileDescriptor(ends[1]);
}

std::string_view read_some(const FileDescriptor& file, std::span<char> buffer) {
  ssize_t size = 0;
  do {
    size = read(file.number(), buffer.data(), buffer.size());
  } while (size < 0 && errno == EINTR);
  return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::string read_all(const FileDescriptor& file) {
  std::string result;
  std::vector<char> buffer(1 << 16);
  for (std::string_view text; !(text = read_some(file, buffer)).empty();) result += text;
  return result;
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size < 0 && errno != EINTR) return;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
}

void LineCutter::add(std::string_view text, const Taker& take) {
  pending_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    take(std::string_view(pending_).substr(begin, end - begin));
  }
  pending_.erase(0, begin);
}

void LineCutter::finish(const Taker& take) {
  if (!pending_.empty()) take(pending_);
  pending_.clear();
}

}  // namespace processes
