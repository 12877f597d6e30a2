#include "observers/timeline/timeline.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <variant>

#include "observers/timeline/notes.hpp"
#include "observers/timeline/trace_file.hpp"
#include "observers/timeline/work_steps.hpp"
#include "observers/timeline/work_text.hpp"

namespace emulator::timeline {
namespace {

// Of a program that issues more, or waits more often, the file would be too large for any viewer.
constexpr std::size_t most_pieces = 100'000;

// In the order in which they first issue or wait.
std::size_t number_of_this_thread() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads++;
  return number;
}

}  // namespace

struct Timeline::Notes {
  mutable std::mutex mutex;
  TimelineNotes noted;
  std::map<Ticket, StepModel::Index> index;
  std::map<cudaEvent_t, std::string> events;
  std::map<StepModel::Index, std::string> records;
  // What the host does to a copy's bytes once it has waited for it.
  struct Unstaging {
    Steps steps;
    std::string name;
  };
  std::map<StepModel::Index, Unstaging> to_unstage;

  void stage(Steps steps, const std::string& name) {
    if (steps == 0) return;
    noted.model.busy(number_of_this_thread(), steps);
    noted.stagings.push_back({number_of_this_thread(), name});
  }

  // Events are numbered as they are first recorded.
  std::string name_of_event(cudaEvent_t event) {
    return events.emplace(event, "event " + std::to_string(events.size() + 1)).first->second;
  }

  // The work is not, or not yet, among the notes if it was issued before they began, or came after
  // they were full.
  std::vector<StepModel::Index> known(const std::vector<Ticket>& tickets) const {
    std::vector<StepModel::Index> found;
    for (const Ticket ticket : tickets) {
      if (const auto at = index.find(ticket); at != index.end()) found.push_back(at->second);
    }
    return found;
  }
};

Timeline::Timeline() : notes_(std::make_unique<Notes>()) {
  add_watcher(*this);
}

Timeline::~Timeline() {
  remove_watcher(*this);
}

void Timeline::issued(const Issued& issued) {
  Notes& notes = *notes_;
  const std::lock_guard lock(notes.mutex);
  TimelineNotes& noted = notes.noted;
  if (noted.pieces.size() == most_pieces) {
    ++noted.left_out;
    return;
  }
  const std::size_t thread = number_of_this_thread();
  const WorkSteps steps = steps_of(issued.task);
  WorkText text = text_of(issued.task);
  const std::string staging = "stages " + text.name;
  notes.stage(steps.staged_before, staging);

  std::vector<StepModel::Index> after = notes.known(issued.after);
  const StepModel::Index piece =
      noted.model.issue(thread, steps.engine, steps.steps, after, issued.is_of_last_call);
  notes.index[issued.ticket] = piece;
  if (const auto* const record = std::get_if<RecordTask>(&issued.task)) {
    const std::string event = notes.name_of_event(record->event);
    text.name = "records " + event;
    text.call = "record " + event;
    notes.records[piece] = event;
  }
  // What a stream is told to wait for comes first.
  if (std::holds_alternative<WaitTask>(issued.task) && !after.empty()) {
    if (const auto record = notes.records.find(after.front()); record != notes.records.end()) {
      text.name = "waits for " + record->second;
      text.call = "let it wait for " + record->second;
    }
  }
  if (steps.staged_after != 0) notes.to_unstage[piece] = {steps.staged_after, staging};
  noted.pieces.push_back({thread, issued.stream, text.category, std::move(text.name),
                          std::move(text.call), std::move(text.arguments), std::move(after),
                          steps.steps != 0});
}

void Timeline::host_waited(const std::vector<Ticket>& tickets) {
  Notes& notes = *notes_;
  const std::lock_guard lock(notes.mutex);
  std::vector<StepModel::Index> pieces = notes.known(tickets);
  if (pieces.empty() || notes.noted.waits.size() == most_pieces) return;
  const std::size_t thread = number_of_this_thread();
  notes.noted.model.wait(thread, pieces);
  for (const StepModel::Index piece : pieces) {
    if (const auto found = notes.to_unstage.extract(piece)) {
      notes.stage(found.mapped().steps, found.mapped().name);
    }
  }
  notes.noted.waits.push_back({thread, std::move(pieces)});
}

std::string Timeline::text(const std::string& program) const {
  const std::lock_guard lock(notes_->mutex);
  return written(notes_->noted, program);
}

namespace {

struct Wanted {
  std::string path;
  std::FILE* file = nullptr;
  Timeline timeline;
};
Wanted* wanted = nullptr;  // never destroyed, as host threads may outlive main()

void cannot_write(const char* path) {
  std::fprintf(stderr, "emulator: error: cannot write EMULATOR_TIMELINE=%s: %s\n", path,
               std::strerror(errno));
}

}  // namespace

void read_timeline() {
  const char* const path = std::getenv("EMULATOR_TIMELINE");
  if (path == nullptr || *path == '\0') return;
  std::FILE* const file = std::fopen(path, "we");
  if (file == nullptr) {
    cannot_write(path);
    std::_Exit(2);  // nothing has run yet; destructors would find half a program
  }
  wanted = new Wanted{path, file, {}};
}

void write_timeline() {
  if (wanted == nullptr) return;
  const std::string text = wanted->timeline.text(program_invocation_short_name);
  std::fputs(text.c_str(), wanted->file);
  if (std::fclose(wanted->file) != 0) {
    cannot_write(wanted->path.c_str());
    std::_Exit(2);
  }
  wanted = nullptr;
}

}  // namespace emulator::timeline
