#include "exercises/watch.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "exercises/check.hpp"
#include "exercises/exercise_commands.hpp"
#include "exercises/list_command.hpp"
#include "exercises/next_step.hpp"
#include "exercises/student_record.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"
#include "processes/signal_watch.hpp"

namespace course::tool {
namespace {

using std::chrono::milliseconds;

/// A file may be missing for this many looks: while it is rewritten, it is missing for a moment.
constexpr int looks_until_vanished = 4;

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
struct SaveInterrupt {};
/// Ends a check: a key was pressed that asks for something else.
struct PressedKey {
  char key;
};

/// How far a student is, as a line to be seen at a glance: "[####----------------]  4 of 20 ...".
std::string progress_line(const ExerciseList& list, const StudentRecord& record,
                          const Screen& screen) {
  constexpr std::size_t room = 20;
  const auto solved = static_cast<std::size_t>(
      std::count_if(list.exercises.begin(), list.exercises.end(),
                    [&](const Exercise& exercise) { return record.solved(exercise); }));
  return progress_bar(solved, list.exercises.size(), room, screen) + "  " + so_far(list, record);
}

/// At work: one exercise after the other.
class Watcher {
 public:
  enum class End { solved, next, quit };

  Watcher(const Checkout& checkout, const ExerciseList& list, const Screen& screen,
          const WatchSettings& settings)
      : checkout_(checkout), list_(list), screen_(screen), settings_(settings) {}

  /// Watches a file until its exercise is solved, if `until_solved`, or until a key or Ctrl-C says
  /// otherwise.
  End watch(const Exercise& exercise, bool until_solved) {
    const std::string shown = path_in_checkout(checkout_, exercise.source());
    std::string news;
    for (;;) {
      begin_screen(exercise, news);
      const auto content = read_file(exercise.source());
      CheckVerdict verdict;
      try {
        verdict =
            check_exercise(checkout_, list_, exercise, screen_, looks_around(exercise, content));
      } catch (const SaveInterrupt&) {
        screen_.progress.done();
        news = time() + "  saved meanwhile: checking that";
        continue;
      } catch (const PressedKey& pressed) {
        screen_.progress.done();
        screen_.out << '\n';
        return pressed.key == 'q' ? End::quit : End::next;
      }
      tell_what_next(checkout_, list_, exercise, verdict, screen_, settings_.clear);
      screen_.out << '\n'
                  << time() << "  checked in " << seconds_text(verdict.took) << ": "
                  << verdict.summary << ".\n"
                  << std::flush;
      if (verdict.solved && until_solved) {
        // What was said of it would be wiped away at once.
        return settings_.clear ? after_solved() : End::solved;
      }
      say_what_is_waited_for(exercise);
      if (const auto end = wait_for_save(exercise, content)) return *end;
      news = time() + "  saved: checking again";
    }
  }

 private:
  std::string time() const {
    return settings_.time_of_day ? settings_.time_of_day() : local_time();
  }

  /// A fresh screen, with how far one is; or, without one, what is watched or what has happened.
  void begin_screen(const Exercise& exercise, const std::string& news) const {
    const std::string shown = path_in_checkout(checkout_, exercise.source());
    if (settings_.clear) {
      screen_.out << "\033[H\033[2J"
                  << progress_line(list_, read_student_record(checkout_, screen_.err), screen_)
                  << '\n'
                  << screen_.dim(news.empty() ? "Watching " + shown : news) << "\n\n"
                  << std::flush;
    } else if (news.empty()) {
      screen_.out << "Watching " << shown
                  << ": it is checked whenever you save it. Ctrl-C ends.\n\n"
                  << std::flush;
    } else {
      screen_.out << (news.find("meanwhile") == std::string::npos ? "" : "\n") << news << "\n\n"
                  << std::flush;
    }
  }

  void say_what_is_waited_for(const Exercise& exercise) const {
    screen_.out << "Waiting for " << path_in_checkout(checkout_, exercise.source())
                << " to be saved ...\n";
    if (settings_.key) {
      const auto key = [&](const char* letter, const char* meaning) {
        return screen_.cyan(letter) + ' ' + meaning;
      };
      screen_.out << key("h", "hint") << "   " << key("n", "next exercise") << "   "
                  << key("l", "list") << "   " << key("q", "quit") << '\n';
    }
    screen_.out << std::flush;
  }

  /// Looks after the file while it is checked: a loop without end in it, say, takes its time, and
  /// by then it may be mended. And after the keys that need not wait.
  TickHandler looks_around(const Exercise& exercise,
                           const std::optional<std::string>& checked) const {
    return [this, &exercise, file = SavedFile(checked),
            next_look = milliseconds(0)](milliseconds elapsed) mutable {
      if (settings_.key) {
        const char key = settings_.key(milliseconds(0));
        if (key == 'q' || key == 'n') throw PressedKey{key};
      }
      // The compiler's clock has another beginning than that of the checks.
      if (elapsed < next_look && elapsed + settings_.interval >= next_look) return;
      next_look = elapsed + settings_.interval;
      if (file.look(read_file(exercise.source())) == SavedFile::Event::saved) throw SaveInterrupt{};
    };
  }

  char wait_for_key() const {
    if (settings_.key) return settings_.key(settings_.interval);
    std::this_thread::sleep_for(settings_.interval);  // a signal ends it early or late: no matter
    return 0;
  }

  bool must_stop() const { return interrupt_.received() != 0 || settings_.must_stop(); }

  /// How the watching of this file ends, or nothing once it is saved.
  std::optional<End> wait_for_save(const Exercise& exercise,
                                   const std::optional<std::string>& checked) const {
    SavedFile file(checked);
    for (;;) {
      if (must_stop()) return End::quit;
      switch (wait_for_key()) {
        case 'q':
          return End::quit;
        case 'n':
          return End::next;
        case 'h':
          screen_.out << '\n';
          hint_command(checkout_, exercise, false, screen_);
          screen_.out << '\n';
          say_what_is_waited_for(exercise);
          break;
        case 'l':
          screen_.out << '\n'
                      << parts_overview({{}, list_, read_student_record(checkout_, screen_.err)},
                                        screen_)
                      << '\n';
          say_what_is_waited_for(exercise);
          break;
        default:
          break;
      }
      switch (file.look(read_file(exercise.source()))) {
        case SavedFile::Event::nothing:
          break;
        case SavedFile::Event::saved:
          return std::nullopt;
        case SavedFile::Event::vanished:
          screen_.out << time() << "  " << path_in_checkout(checkout_, exercise.source())
                      << " is gone, or empty: waiting for it to come back (./course reset "
                      << exercise.id << " brings it as handed out)\n"
                      << std::flush;
          break;
      }
    }
  }

  /// Leaves the good news on the screen until a key is pressed.
  End after_solved() const {
    if (!settings_.key) return End::solved;
    screen_.out << screen_.cyan("any key") << " next exercise   " << screen_.cyan("q") << " quit\n"
                << std::flush;
    for (;;) {
      if (must_stop()) return End::quit;
      const char key = wait_for_key();
      if (key != 0) return key == 'q' ? End::quit : End::solved;
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
  // The check already said what is missing at the start.
  told_ = !checked_;
}

SavedFile::Event SavedFile::look(const std::optional<std::string>& content) {
  if (!content || content->empty()) {
    seen_.reset();
    if (++looks_without_ < looks_until_vanished || told_) return Event::nothing;
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
  std::vector<const Exercise*> exercises = meant_exercises(list, wanted);
  bool until_solved = !names_exercise(wanted);
  Watcher watcher(checkout, list, screen, settings);
  const auto record = [&] { return read_student_record(checkout, screen.err); };
  const Exercise* next = until_solved ? where_to_go_on(exercises, record()) : exercises.front();
  try {
    while (next != nullptr) {
      const Watcher::End end = watcher.watch(*next, until_solved);
      if (end == Watcher::End::quit) break;
      if (end == Watcher::End::solved) {
        next = first_unsolved(exercises, record(), next);
        continue;
      }
      // After the one that was asked for, or the last of a chapter, the watch goes on through all.
      const Exercise* other = until_solved ? next_unsolved(exercises, record(), *next) : nullptr;
      if (other == nullptr) {
        exercises = all_of(list);
        until_solved = true;
        other = next_unsolved(exercises, record(), *next);
      }
      if (other != nullptr) next = other;
    }
    if (next == nullptr) {
      screen.out << (wanted.empty() ? "All exercises are solved"
                                    : "All exercises of this chapter are solved")
                 << ": there is nothing left to watch.\n"
                 << std::flush;
      return status_ok;
    }
  } catch (const Interrupted& by) {
    if (by.signal() != SIGINT) throw;
  }
  screen.progress.done();
  screen.out << "\nNo longer watching.\n" << std::flush;
  return status_ok;
}

}  // namespace course::tool
