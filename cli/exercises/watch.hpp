/// @file
/// Checking an exercise again whenever its file is saved.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// Decides from one look at a file to the next whether it was saved. It goes by content, so that it
/// does not matter how an editor writes (in place, by renaming, empty first) nor where (where the
/// system reports changes, and where it does not).
class SavedFile {
 public:
  enum class Event {
    nothing,
    saved,     ///< it has another content than at the last check, the same as at the last look
    vanished,  ///< it is gone, or empty, and has been so for some looks
  };

  /// @param checked the content that was checked last, if any was
  explicit SavedFile(const std::optional<std::string>& checked);

  /// A look at the file: its content, or nothing if it is not there.
  Event look(const std::optional<std::string>& content);

 private:
  std::optional<std::uint64_t> checked_;
  std::optional<std::uint64_t> seen_;
  int looks_without_ = 0;
  bool told_ = false;
};

/// How `watch` goes about it; tests set other values.
struct WatchSettings {
  std::chrono::milliseconds interval{300};
  /// Asked before each look: whether to end.
  std::function<bool()> must_stop = [] { return false; };
  /// Waits so long for a key, and says which it was; 0: none. Nothing where there are no keys.
  std::function<char(std::chrono::milliseconds)> key;
  /// Each check begins on a screen that was wiped.
  bool clear = false;
  /// The time of day, "14:03:22".
  std::function<std::string()> time_of_day;
};

/// The command `watch`: checks at once and after each change, which ends a check that is running;
/// without a wanted exercise, or with a
/// chapter, goes on to the next unsolved one when one is solved. With keys: h shows a hint, n goes
/// to the next exercise, l lists them all, q ends; n and q need not wait for a check's end. Ends
/// with status 0 on q, on Ctrl-C or when all is solved.
int watch_command(const Checkout& checkout, const ExerciseList& list, const std::string& wanted,
                  const Screen& screen, const WatchSettings& settings = {});

}  // namespace course::tool
