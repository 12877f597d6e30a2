#include "grader/class.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "grader/report/report.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "processes/child.hpp"
#include "processes/signal_watch.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// One submission at work, in a process of its own: the course program runs one child at a time.
struct Worker {
  processes::Child process;
  std::size_t submission = 0;
};

/// Marks that are there and still hold.
std::optional<Marks> kept_marks(const Grader& grader, const Submission& submission,
                                const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  auto marks = marks_from_json(*text);
  if (!marks || marks->has_failure_of_ours()) return std::nullopt;
  if (marks->fingerprint != grader.fingerprint(submission)) return std::nullopt;
  return marks;
}

/// The marks where a worker came to grief.
Marks lost_marks(const Grader& grader, const Submission& submission, const std::string& reason) {
  Marks marks;
  marks.submission = submission.name;
  marks.seed = grader.seed();
  for (const Exercise* const exercise : grader.exercises()) {
    ExerciseMark mark = nothing_yet(*exercise);
    mark.state = "not graded";
    mark.reason = reason;
    marks.exercises.push_back(std::move(mark));
  }
  return marks;
}

/// How a worker ends that could not write its marks.
constexpr int cannot_write = 74;

[[noreturn]] void be_a_worker(const Grader& grader, const Submission& submission,
                              const fs::path& scratch, const fs::path& file) {
  int status = 1;
  try {
    const Marks marks = grader.grade(submission, scratch);
    status = write_file(file, to_json(marks)) ? 0 : cannot_write;
  } catch (const Interrupted& interrupted) {
    status = 128 + interrupted.signal();
  } catch (const std::exception&) {
    status = 1;
  }
  _exit(status);
}

class ClassRun {
 public:
  ClassRun(const Grader& grader, const std::vector<Submission>& submissions, const ClassFolder& out,
           const Screen& screen, Shard shard)
      : grader_(grader), submissions_(submissions), screen_(screen) {
    std::error_code error;
    fs::permissions(scratch_.path(), fs::perms(0711), error);
    fs::create_directories(out.path / "marks", error);
    if (!fs::is_directory(out.path / "marks", error)) {
      throw Failure("cannot write to " + shown_path(out.path), status_refused);
    }
    std::vector<std::string> taken;
    for (const Submission& one : submissions) {
      files_.push_back(out.marks(file_name_for(one.name, taken)));
    }
    marks_.resize(submissions.size());
    for (std::size_t k = 0; k < submissions.size(); ++k) {
      if (shard.has(k)) mine_.push_back(k);
    }
  }

  ~ClassRun() {
    // Reached early only by an exception: then nobody may go on behind our back.
    end_workers(SIGTERM);
  }
  ClassRun(const ClassRun&) = delete;
  ClassRun& operator=(const ClassRun&) = delete;

  std::vector<Marks> run(int jobs, bool again) {
    std::vector<std::size_t> waiting;
    for (const std::size_t k : mine_) {
      if (!again) marks_[k] = kept_marks(grader_, submissions_[k], files_[k]);
      if (!marks_[k]) waiting.push_back(k);
    }
    kept_ = mine_.size() - waiting.size();
    if (kept_ != 0) {
      screen_.err << "course: " << kept_ << " of " << mine_.size()
                  << " are already marked and stay as they are (--again marks them again)\n"
                  << std::flush;
    }
    screen_.progress.begin("marking");
    // Signals that would end us are passed on to the workers.
    processes::SignalWatch watch{SIGINT, SIGTERM, SIGHUP};
    watch_ = &watch;
    for (std::size_t next = 0; next < waiting.size() || !workers_.empty();) {
      while (next < waiting.size() && workers_.size() < static_cast<std::size_t>(jobs)) {
        start(waiting[next++]);
      }
      collect();
      if (const int signal = stop_signal(); signal != 0) stop(signal);
      show(waiting.size());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    watch_ = nullptr;
    screen_.progress.done();
    std::vector<Marks> all;
    for (const std::size_t k : mine_) all.push_back(std::move(*marks_[k]));
    return all;
  }

 private:
  void start(std::size_t k) {
    const fs::path folder = scratch_.path() / std::to_string(k);
    std::error_code error;
    fs::create_directories(folder, error);
    fs::permissions(folder, fs::perms(0755), error);
    // Whatever was there is of no use any more; without it, what is there later is new.
    fs::remove(files_[k], error);
    screen_.out << std::flush;
    screen_.err << std::flush;
    const pid_t id = fork();
    if (id < 0) throw Failure(std::string("cannot start a process"));
    if (id == 0) {
      watch_->end();
      be_a_worker(grader_, submissions_[k], folder, files_[k]);
    }
    workers_.push_back({processes::Child(id), k});
  }

  void collect() {
    for (std::size_t at = 0; at < workers_.size();) {
      if (!workers_[at].process.has_ended()) {
        ++at;
        continue;
      }
      const processes::ExitStatus ended = *workers_[at].process.ending();
      const std::size_t k = workers_[at].submission;
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(at));
      marks_[k] = marks_from_json(read_file(files_[k]).value_or(""));
      if (ended.code > 128 && stop_signal() == 0) worker_signal_ = ended.code - 128;
      if (!marks_[k] && stop_signal() == 0) {
        const ExitStatus exit{ended.code, ended.signal};
        marks_[k] = lost_marks(grader_, submissions_[k],
                               ended.code == cannot_write ? "its marks could not be written"
                                                          : "marking failed: " + exit.text());
        write_file(files_[k], to_json(*marks_[k]));
      }
      if (marks_[k]) ++finished_;
      std::error_code ignored;
      fs::remove_all(scratch_.path() / std::to_string(k), ignored);
    }
  }

  void show(std::size_t all) {
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    std::string text = std::to_string(finished_) + " of " + std::to_string(all);
    if (finished_ != 0 && finished_ < all) {
      const auto left =
          elapsed * static_cast<long long>(all - finished_) / static_cast<long long>(finished_);
      text += ", about " + duration_text(left) + " left";
    } else {
      text += ", " + duration_text(elapsed);
    }
    screen_.progress.update(text);
  }

  /// The signal that we were sent, or a worker in our place; 0 if there was none.
  int stop_signal() const { return watch_->received() != 0 ? watch_->received() : worker_signal_; }

  void end_workers(int signal) {
    for (const Worker& worker : workers_) kill(worker.process.id(), signal);
    for (Worker& worker : workers_) worker.process.wait();
    workers_.clear();
  }

  [[noreturn]] void stop(int signal) {
    end_workers(signal);
    screen_.progress.done();
    screen_.err << "course: " << kept_ + finished_ << " of " << mine_.size()
                << " are marked; the same command continues from there\n"
                << std::flush;
    throw Interrupted(signal);
  }

  const Grader& grader_;
  const std::vector<Submission>& submissions_;
  const Screen& screen_;
  ScratchFolder scratch_{"course-grade"};
  std::vector<fs::path> files_;
  std::vector<std::optional<Marks>> marks_;
  std::vector<std::size_t> mine_;  ///< the submissions of this shard
  std::vector<Worker> workers_;
  processes::SignalWatch* watch_ = nullptr;
  int worker_signal_ = 0;
  std::size_t kept_ = 0;
  std::size_t finished_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<Submission> submissions_in(const fs::path& folder, bool files_too) {
  std::error_code error;
  std::vector<Submission> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::directory_entry& entry = *at;
    const std::string file_name = entry.path().filename().string();
    if (file_name.starts_with('.')) continue;
    const std::string name = shown_name(file_name);
    std::error_code ignored;
    const bool is_source = entry.path().extension() == ".cu";
    const bool is_folder = fs::is_directory(entry.symlink_status(ignored));
    if (is_folder) {
      found.push_back({name, entry.path(), false});
    } else if (is_source && files_too) {
      found.push_back({name, entry.path(), true});
    } else if (entry.is_symlink(ignored) && fs::is_directory(entry.path(), ignored)) {
      found.push_back({name, entry.path(), false});  // which the marks will say is not a folder
    }
  }
  if (error) throw Failure("cannot read the folder " + folder.string(), status_refused);
  if (found.empty()) {
    throw Failure(
        "there are no submissions in " + folder.string() +
            (files_too ? ": it has neither folders nor .cu files" : ": each must be a folder"),
        status_refused);
  }
  std::sort(found.begin(), found.end(),
            [](const Submission& a, const Submission& b) { return a.name < b.name; });
  return found;
}

namespace {

/// Whether an earlier call has written the marks of a class there.
bool holds_marks(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(folder, error)) &&
         fs::is_regular_file(folder / "class.json", error) &&
         fs::is_directory(folder / "marks", error);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [rest, end] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

}  // namespace

std::vector<Submission> submissions_beside(const ClassFolder& out, const fs::path& folder,
                                           bool files_too, const Screen& screen) {
  std::error_code error;
  const fs::path all = fs::weakly_canonical(folder, error);
  const fs::path marks = fs::weakly_canonical(out.path, error);
  const fs::path whole = marks.has_filename() ? marks : marks.parent_path();
  if (whole == all) {
    throw Failure(
        "the marks cannot go to the folder of the submissions itself: choose another --out",
        status_refused);
  }
  if (fs::exists(whole, error) && !fs::is_directory(whole, error)) {
    throw Failure("--out wants a folder, and " + out.path.string() + " is none", status_refused);
  }
  // In a submission's folder they would be taken for what was handed in.
  const bool is_entry = whole.parent_path() == all;
  const bool is_mine =
      !fs::exists(whole, error) || fs::is_empty(whole, error) || holds_marks(whole);
  if (is_below(whole, all) && (!is_entry || !is_mine)) {
    throw Failure(
        "the marks cannot go into a submission: choose another --out than " + out.path.string(),
        status_refused);
  }
  std::vector<Submission> found = submissions_in(folder, files_too);
  std::erase_if(found, [&](const Submission& one) {
    const bool is_out = fs::weakly_canonical(one.path, error) == whole;
    if (is_out || !holds_marks(one.path)) return is_out;
    screen.err << "course: " << one.name << " holds marks of a class, and is not a submission\n";
    return true;
  });
  if (found.empty()) {
    throw Failure("there are no submissions in " + folder.string(), status_refused);
  }
  return found;
}

std::string file_name_for(const std::string& submission, std::vector<std::string>& taken) {
  constexpr std::size_t longest = 100;
  std::string name;
  for (const char c : submission.substr(0, longest)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    name += plain ? c : '_';
  }
  if (name.empty() || name[0] == '.' || name[0] == '-') name.insert(0, "_");
  const auto is_taken = [&](const std::string& wanted) {
    return std::find(taken.begin(), taken.end(), lower_case(wanted)) != taken.end();
  };
  std::string unique = name;
  for (int k = 2; is_taken(unique); ++k) unique = name + "~" + std::to_string(k);
  taken.push_back(lower_case(unique));
  return unique;
}

std::vector<Marks> grade_class(const Grader& grader, const std::vector<Submission>& submissions,
                               const ClassFolder& out, int jobs, bool again, const Screen& screen,
                               Shard shard) {
  return ClassRun(grader, submissions, out, screen, shard).run(std::max(1, jobs), again);
}

void write_class_reports(const std::vector<Marks>& marks, const ClassFolder& out,
                         const std::string& title, bool has_roster) {
  std::vector<std::pair<std::string, std::string>> files{{"class.csv", to_csv(marks)},
                                                         {"class.html", to_html(marks, title)},
                                                         {"class.junit.xml", to_junit(marks)}};
  if (has_roster) {
    files.emplace_back("moodle.csv", to_moodle_csv(marks));
    files.emplace_back("canvas.csv", to_canvas_csv(marks));
  }
  for (const auto& [name, text] : files) {
    if (!write_file(out.path / name, text)) {
      throw Failure("cannot write " + shown_path(out.path / name));
    }
  }
}

}  // namespace course::tool::grading
