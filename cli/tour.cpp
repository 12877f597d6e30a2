#include "tour.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "host/build.hpp"
#include "host/errors.hpp"
#include "host/process.hpp"
#include "ladder.hpp"

namespace course::tool {
namespace {

/// What a chapter's program said, and how it ended.
struct ChapterRun {
  ExitStatus status;
  std::vector<std::string> out;
  std::vector<std::string> err;
};

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t") == std::string::npos;
}

/// The line that best says why a program failed: the first on stderr that speaks of an error, else
/// the first on stderr, else the last of all.
std::string telling_line(const ChapterRun& run) {
  const auto not_blank = [](const std::string& line) { return !is_blank(line); };
  auto found = std::find_if(run.err.begin(), run.err.end(), [](const std::string& line) {
    return line.find("error") != std::string::npos;
  });
  if (found == run.err.end()) found = std::find_if(run.err.begin(), run.err.end(), not_blank);
  if (found != run.err.end()) return *found;
  const auto last = std::find_if(run.out.rbegin(), run.out.rend(), not_blank);
  return last == run.out.rend() ? "" : *last;
}

std::string with_reason(const std::string& what, const std::string& why) {
  return why.empty() ? what : what + ": " + why;
}

class Tour {
 public:
  Tour(const Checkout& checkout, const std::vector<std::string>& options, const Screen& screen)
      : checkout_(checkout), options_(options), screen_(screen) {}

  TourStop visit(const Chapter& chapter) {
    TourStop stop;
    stop.chapter = chapter;
    const BuildOutcome build =
        build_program(checkout_, chapter.target, chapter.program, screen_.progress);
    if (!build.ok) {
      screen_.out << chapter.name << " does not compile:\n\n";
      for (const std::string& line : build.errors) screen_.out << "  " << line << '\n';
      screen_.out << "\n  the whole log: " << shown_path(build.log) << "\n\n" << std::flush;
      return failed(stop, "it does not compile; the log: " + shown_path(build.log));
    }

    const std::filesystem::path results = checkout_.result_dir() / (chapter.name + ".json");
    std::error_code ignored;
    std::filesystem::create_directories(results.parent_path(), ignored);
    std::filesystem::remove(results, ignored);  // an old file must not pass for this run's
    ChapterRun run;
    try {
      run = run_chapter(chapter, results);
    } catch (const Failure& failure) {
      return failed(stop, failure.what());
    }
    if (run.status.code == status_refused && run.status.signal == 0 && !options_.empty()) {
      return refused(stop, run);
    }
    show(chapter, run);
    return judge(stop, run, results);
  }

  /// One build for all of them keeps every core busy; a chapter by itself is mostly one source.
  /// What does not compile is reported when its turn comes.
  void build_others() { build_target(checkout_, "tour", screen_.progress); }

 private:
  ChapterRun run_chapter(const Chapter& chapter, const std::filesystem::path& results) {
    std::vector<std::string> command{chapter.program.string()};
    command.insert(command.end(), options_.begin(), options_.end());
    command.insert(command.end(), {"--json", results.string()});
    ChapterRun run;
    RunOptions run_options;
    // Its tables are to fit, indented as they will be.
    if (screen_.width != any_width) {
      run_options.environment = {{"COLUMNS", std::to_string(screen_.width - 2)}};
    }
    screen_.progress.begin("running " + chapter.name);
    run.status = run_process(
        command,
        [&](Stream stream, std::string_view line) {
          (stream == Stream::out ? run.out : run.err).emplace_back(line);
        },
        [&](std::chrono::milliseconds elapsed) { screen_.progress.update(duration_text(elapsed)); },
        run_options);
    screen_.progress.done();
    return run;
  }

  void show(const Chapter& chapter, const ChapterRun& run) {
    screen_.out << screen_.bold(chapter.name + ": " + chapter.title) << "\n\n";
    for (const std::string& line : run.out)
      screen_.out << (is_blank(line) ? "" : "  ") << line << '\n';
    for (const std::string& line : run.err)
      screen_.out << (is_blank(line) ? "" : "  ") << line << '\n';
    screen_.out << '\n' << std::flush;
  }

  static TourStop failed(TourStop stop, const std::string& reason) {
    stop.outcome = Outcome::failed;
    stop.reason = reason;
    return stop;
  }

  /// The options are meant for the ladder. A chapter beside it may not know them; but if its first
  /// rung does not, no other will.
  TourStop refused(TourStop stop, const ChapterRun& run) {
    const std::string why = telling_line(run);
    if (!stop.chapter.ladder) {
      stop.outcome = Outcome::skipped;
      stop.reason = with_reason("it does not take these options", why);
      return stop;
    }
    if (!rung_accepted_) {
      throw Failure(why.empty() ? stop.chapter.name + " refuses these options" : why,
                    status_refused);
    }
    return failed(stop, with_reason("it refuses these options", why));
  }

  TourStop judge(TourStop stop, const ChapterRun& run, const std::filesystem::path& results) {
    if (stop.chapter.ladder) rung_accepted_ = true;
    if (run.status.signal == 0 && run.status.code == status_skipped) {
      stop.outcome = Outcome::skipped;
      const auto last = std::find_if(run.out.rbegin(), run.out.rend(),
                                     [](const std::string& line) { return !is_blank(line); });
      stop.reason = last == run.out.rend() ? "it gave no reason" : *last;
      constexpr std::string_view word = "SKIPPED: ";  // the table says that already
      if (stop.reason.starts_with(word)) stop.reason.erase(0, word.size());
      return stop;
    }
    std::string unreadable;
    try {
      stop.report = read_report(results);
    } catch (const Failure& failure) {
      unreadable = failure.what();
    }
    if (!run.status.ok()) {
      return failed(stop, with_reason(run.status.text(), telling_line(run)));
    }
    if (!stop.report) return failed(stop, unreadable);
    if (stop.report->results.empty()) return failed(stop, "its results are empty");
    for (const Result& result : stop.report->results) {
      if (!result.verified) return failed(stop, "kernel '" + result.kernel + "' is not verified");
    }
    return stop;
  }

  const Checkout& checkout_;
  const std::vector<std::string>& options_;
  const Screen& screen_;
  bool rung_accepted_ = false;
};

}  // namespace

int run_tour(const Checkout& checkout, const std::vector<Chapter>& chapters,
             const std::vector<std::string>& options, const Screen& screen) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& option : options) {
    const std::string name = option.substr(0, option.find('='));
    if (name == "--json" || name == "--csv") {
      throw Failure("the tour writes its results to " + shown_path(checkout.result_dir()) +
                        "; for a file of your choice: ./course run NN " + name + " FILE",
                    status_refused);
    }
  }

  // The first chapter is shown before the others are built, unless there are cores for all of them.
  constexpr int many_cores = 8;
  const std::vector<Chapter> all = tour_chapters(chapters);
  std::size_t stops_before_others = std::stoi(parallel_level()) < many_cores ? 1 : 0;
  if (!options.empty()) {  // which the first rung may refuse, and then no other is needed
    const auto rung = std::ranges::find_if(all, [](const Chapter& one) { return one.ladder; });
    stops_before_others = static_cast<std::size_t>(rung - all.begin()) + 1;
  }
  Tour tour(checkout, options, screen);
  std::vector<TourStop> stops;
  for (const Chapter& chapter : all) {
    if (stops.size() == stops_before_others) tour.build_others();
    stops.push_back(tour.visit(chapter));
  }
  if (stops.empty()) throw Failure("there is no chapter on the tour yet");

  const auto count = [&](Outcome outcome) {
    return std::to_string(std::count_if(
        stops.begin(), stops.end(), [&](const TourStop& stop) { return stop.outcome == outcome; }));
  };
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  screen.out << ladder_text(stops, screen.width) << '\n'
             << "Chapters: " << count(Outcome::passed) << " verified, " << count(Outcome::failed)
             << " failed, " << count(Outcome::skipped) << " skipped, in " << duration_text(elapsed)
             << ". Results: " << shown_path(checkout.result_dir()) << '\n'
             << std::flush;
  return count(Outcome::failed) == "0" ? status_ok : status_failed;
}

}  // namespace course::tool
