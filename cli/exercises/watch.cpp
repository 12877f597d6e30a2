#include "exercises/watch.hpp"

#include <array>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "errors.hpp"
#include "exercises/check.hpp"
#include "exercises/student_record.hpp"
#include "files.hpp"
#include "process.hpp"
#include "processes/signal_watch.hpp"

namespace course::tool {
namespace {

using std::chrono::milliseconds;

/// So many looks a file may be away: while it is written anew it is for a moment.
constexpr int patience = 4;

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%H:%M:%S", &parts);
  return text.data();
}

/// "3.2 s": a check takes a few.
std::string seconds_text(milliseconds duration) {
  const auto tenths = (duration.count() + 50) / 100;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s";
}

/// Ends a check: the file has been saved meanwhile.
struct SavedMeanwhile {};

/// At work: one exercise after the other.
class Watcher {
 public:
  Watcher(const Checkout& checkout, const ExerciseList& list, const Screen& screen,
          const WatchSettings& settings)
      : checkout_(checkout), list_(list), screen_(screen), settings_(settings) {}

  /// Watches a file until its exercise is solved, if `until_solved`, or for ever.
  /// @return whether to go on; false after Ctrl-C
  bool watch(const Exercise& exercise, bool until_solved) {
    const std::string shown = path_in_checkout(checkout_, exercise.source());
    screen_.out << "Watching " << shown << ": it is checked whenever you save it. Ctrl-C ends.\n\n"
                << std::flush;
    for (;;) {
      const auto content = read_file(exercise.source());
      CheckVerdict verdict;
      try {
        verdict =
            check_exercise(checkout_, list_, exercise, screen_, saves_since(exercise, content));
      } catch (const SavedMeanwhile&) {
        screen_.progress.done();
        screen_.out << '\n' << time() << "  saved meanwhile: checking that\n\n" << std::flush;
        continue;
      }
      tell_what_next(checkout_, list_, exercise, verdict, screen_);
      screen_.out << '\n'
                  << time() << "  checked in " << seconds_text(verdict.took) << ": "
                  << verdict.summary << ".\n\n"
                  << std::flush;
      if (verdict.solved && until_solved) return true;
      screen_.out << "Waiting for " << shown << " to be saved ...\n" << std::flush;
      if (!wait_for_save(exercise, content)) return false;
      screen_.out << time() << "  saved: checking again\n\n" << std::flush;
    }
  }

 private:
  std::string time() const {
    return settings_.time_of_day ? settings_.time_of_day() : local_time();
  }

  /// Looks after the file while it is checked: a loop without end in it, say, takes its time, and
  /// by then it may be mended.
  TickHandler saves_since(const Exercise& exercise,
                          const std::optional<std::string>& checked) const {
    return [this, &exercise, file = SavedFile(checked),
            next_look = milliseconds(0)](milliseconds elapsed) mutable {
      // The compiler's clock has another beginning than that of the checks.
      if (elapsed < next_look && elapsed + settings_.interval >= next_look) return;
      next_look = elapsed + settings_.interval;
      if (file.look(read_file(exercise.source())) == SavedFile::Event::saved)
        throw SavedMeanwhile{};
    };
  }

  bool wait_for_save(const Exercise& exercise, const std::optional<std::string>& checked) const {
    SavedFile file(checked);
    for (;;) {
      if (interrupt_.received() != 0 || settings_.must_stop()) return false;
      std::this_thread::sleep_for(settings_.interval);  // a signal ends it early or late: no matter
      switch (file.look(read_file(exercise.source()))) {
        case SavedFile::Event::nothing:
          break;
        case SavedFile::Event::saved:
          return true;
        case SavedFile::Event::vanished:
          screen_.out << time() << "  " << path_in_checkout(checkout_, exercise.source())
                      << " is gone, or empty: waiting for it to come back (./course reset "
                      << exercise.id << " brings it as handed out)\n"
                      << std::flush;
          break;
      }
    }
  }

  const Checkout& checkout_;
  const ExerciseList& list_;
  const Screen& screen_;
  const WatchSettings& settings_;
  // While we watch, Ctrl-C is a way to end and no failure.
  const processes::SignalWatch interrupt_{SIGINT};
};

}  // namespace

SavedFile::SavedFile(const std::optional<std::string>& checked) {
  if (checked && !checked->empty()) checked_ = hash_of(*checked);
  // What is missing at the start was told by the check.
  told_ = !checked_;
}

SavedFile::Event SavedFile::look(const std::optional<std::string>& content) {
  if (!content || content->empty()) {
    seen_.reset();
    if (++looks_without_ < patience || told_) return Event::nothing;
    told_ = true;
    return Event::vanished;
  }
  looks_without_ = 0;
  told_ = false;
  const std::uint64_t hash = hash_of(*content);
  const bool settled = seen_ == hash;
  seen_ = hash;
  return settled && checked_ != hash ? Event::saved : Event::nothing;
}

int watch_command(const Checkout& checkout, const ExerciseList& list, const std::string& wanted,
                  const Screen& screen, const WatchSettings& settings) {
  const std::vector<const Exercise*> exercises = meant_exercises(list, wanted);
  const bool until_solved = !names_exercise(wanted);
  Watcher watcher(checkout, list, screen, settings);
  const Exercise* solved = nullptr;
  try {
    for (;;) {
      const Exercise* const next =
          until_solved
              ? first_unsolved(exercises, read_student_record(checkout, screen.err), solved)
              : exercises.front();
      if (next == nullptr) {
        screen.out << (wanted.empty() ? "All exercises are solved"
                                      : "All exercises of this chapter are solved")
                   << ": there is nothing left to watch.\n"
                   << std::flush;
        return status_ok;
      }
      if (!watcher.watch(*next, until_solved)) break;
      solved = next;
    }
  } catch (const Interrupted& by) {
    if (by.signal() != SIGINT) throw;
  }
  screen.progress.done();
  screen.out << "\nNo longer watching.\n" << std::flush;
  return status_ok;
}

}  // namespace course::tool
