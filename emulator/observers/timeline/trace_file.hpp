#pragma once
/// \file
/// A timeline as a file: JSON in the Chrome trace format, as ../../timeline.schema.json describes
/// it. It knows nothing of the emulator, and what records a GPU writes the same file with it.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::timeline {

/// A row of the picture: a host thread or a stream.
struct Lane {
  enum class Of { host = 1, streams = 2 };  ///< the two processes of the file
  Of of;
  std::uint64_t row;  ///< from 1 on: from above to below

  auto operator<=>(const Lane&) const = default;
};

/// What an item of a lane is, by the names in the file.
namespace category {
constexpr const char* kernel = "kernel";
constexpr const char* to_device = "copy to device";
constexpr const char* to_host = "copy to host";
constexpr const char* other_copy = "copy";  // within the device, or within the host
constexpr const char* set = "set";
constexpr const char* host_function = "host function";
constexpr const char* library = "library";
constexpr const char* call = "call";        // of the host: it issues something
constexpr const char* wait = "wait";        // of the host
constexpr const char* staging = "staging";  // of the host: it fills or empties a staging buffer
constexpr const char* event = "event";      // recorded, or waited for
constexpr const char* free = "free";
}  // namespace category

/// 4 MiB, 4.5 KiB, 12 B.
std::string size_text(std::uint64_t bytes);

/// A timeline that is being written. Times are steps or microseconds.
class TraceFile {
 public:
  enum class Unit { steps, microseconds };

  TraceFile(Unit unit, std::string program);

  void name_lane(Lane lane, const std::string& name);
  /// Something that takes from `begin` to `end`.
  void add(Lane lane, double begin, double end, const char* category, const std::string& name,
           nlohmann::ordered_json arguments = nullptr);
  /// Something at a moment.
  void mark(Lane lane, double at, const char* category, const std::string& name);
  /// What ends at `end` in one lane was waited for, by what lasts from `begin` to `until` in the
  /// other, or if that is a wait: until then.
  struct Item {
    Lane lane;
    double begin;
    double end;
    bool is_wait = false;
  };
  void arrow(const Item& from, const Item& to);

  /// \param left_out how many pieces of work are not in it
  std::string text(std::uint64_t left_out = 0) const;

 private:
  nlohmann::ordered_json event(const char* phase, Lane lane, double at) const;

  Unit unit_;
  std::string program_;
  std::map<Lane, std::string> lanes_;
  std::vector<nlohmann::ordered_json> events_;
  std::uint64_t arrows_ = 0;
};

}  // namespace emulator::timeline
