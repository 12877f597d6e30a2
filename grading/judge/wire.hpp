/// @file
/// The language between the two processes in which work is graded: the *judge*, which has the
/// checks and the data, and the *submission*, which has the code that is judged.
///
/// Both run on one machine and come from one build, so numbers travel as they are in memory. The
/// judge believes nothing that it reads: whatever is too short, too long or out of range is a
/// WireError, and that is the submission's failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace course::grading {

/// What was read is not what the other side was to say, or it says nothing any more.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Bytes = std::vector<char>;

/// Puts a message together.
class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&value, sizeof value);
  }
  void put_bytes(const void* data, std::size_t size) {
    put(std::uint64_t{size});
    raw(data, size);
  }
  void put_text(std::string_view text) { put_bytes(text.data(), text.size()); }

  const Bytes& bytes() const { return bytes_; }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* const begin = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  Bytes bytes_;
};

/// Takes a message apart.
class Reader {
 public:
  explicit Reader(const Bytes& bytes) : rest_(bytes.data(), bytes.size()) {}
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view get_bytes() { return take(get<std::uint64_t>()); }
  /// A text, cut off after that many bytes.
  std::string get_text(std::size_t most = 4096) { return std::string(get_bytes().substr(0, most)); }
  /// How many things follow, of which each needs a byte at least.
  std::size_t get_count() {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size()) throw WireError("a count that is too large");
    return static_cast<std::size_t>(count);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw WireError("a message that is too short");
    const std::string_view part = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(static_cast<std::size_t>(size));
    return part;
  }

  std::string_view rest_;
};

/// Sends a message: its length, then its bytes.
/// @throws WireError if nobody takes it
void send_message(int socket, const Bytes& message);

/// Receives one.
/// @throws WireError if the other side is gone, or the message is longer than `most` bytes
Bytes receive_message(int socket, std::size_t most);

/// What a submission's program says first, before any of the student's code runs. What goes wrong
/// until then is not the student's doing.
inline constexpr std::string_view greeting = "ready";

/// How a submission's program ends that could not be given what it needs for its first call.
inline constexpr int status_no_room = 71;

/// What a message of the judge asks for.
enum class Request : std::uint8_t {
  call,    ///< a function: see forward.hpp
  finish,  ///< say what is to be said at a program's end, and end
};

/// How an argument of a function travels.
enum class Argument : std::uint8_t {
  value,       ///< its bytes
  device,      ///< a pointer to device memory, which is at the same address in both processes
  host_array,  ///< an array of the host's: what is in it, or how long it is
  handle,      ///< a library's handle, which each process has of its own; or nullptr
};

/// How a call ended.
enum class CallOutcome : std::uint8_t { returned, cuda_error, other_exception };

}  // namespace course::grading
