#pragma once
/// \file
/// EMULATOR_TIMELINE=FILE: what ran in which stream, and what waited for what, as a timeline of
/// steps (step_model.hpp) in a file (trace_file.hpp).

#include <memory>
#include <string>

#include "base/rooms.hpp"
#include "events/stream_watcher.hpp"

namespace emulator::timeline {

/// Notes what is issued and waited for from now on, until it is asked for the file's text.
class Timeline final : public Watcher {
 public:
  Timeline();
  ~Timeline() override;
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  void issued(const Issued& issued) override;
  void host_waited(const std::vector<Ticket>& tickets) override;

  std::string text(const std::string& program) const;

 private:
  struct Notes;
  std::unique_ptr<Notes> notes_;
};

/// Starts the timeline that EMULATOR_TIMELINE asks for. If its file cannot be written the program
/// ends, with one line and status 2.
void read_timeline();

/// The program ends: writes the file, if there is one.
void write_timeline();

}  // namespace emulator::timeline
