#include "judge/wire.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace course::grading {
namespace {

void send_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t count = send(socket, data, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw WireError("the other process is gone");
    data += count;
    size -= static_cast<std::size_t>(count);
  }
}

void receive_all(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t count = recv(socket, data, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw WireError("the other process is gone");
    data += count;
    size -= static_cast<std::size_t>(count);
  }
}

}  // namespace

void send_message(int socket, const Bytes& message) {
  const std::uint64_t size = message.size();
  Bytes whole(sizeof size);  // at one go: a check may call a small function 100000 times
  std::memcpy(whole.data(), &size, sizeof size);
  whole.insert(whole.end(), message.begin(), message.end());
  send_all(socket, whole.data(), whole.size());
}

Bytes receive_message(int socket, std::size_t most) {
  std::uint64_t size = 0;
  receive_all(socket, reinterpret_cast<char*>(&size), sizeof size);
  if (size > most) throw WireError("a message that is too long");
  // Piece by piece: an announced gigabyte has to be sent before it takes our memory.
  constexpr std::size_t piece = std::size_t{1} << 20;
  Bytes message;
  while (message.size() < size) {
    const std::size_t begin = message.size();
    message.resize(std::min(begin + piece, static_cast<std::size_t>(size)));
    receive_all(socket, message.data() + begin, message.size() - begin);
  }
  return message;
}

}  // namespace course::grading
