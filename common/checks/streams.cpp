#include "checks/streams.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "checks/costs.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/stream_work.h"
#endif

namespace course::exercise {

#ifdef CUDA_EMULATOR

using emulator::StreamWork;
using Kind = StreamWork::Kind;
using Why = StreamWork::Why;

struct detail::StreamList {
  std::vector<StreamWork> work;
  emulator::GraphCalls graphs;
};

namespace {

/// While one lives, the emulator notes what comes into streams.
class StreamWorkScope {
 public:
  StreamWorkScope() {
    emulator::note_stream_work(true);
    emulator::clear_graph_calls();
  }
  ~StreamWorkScope() { emulator::note_stream_work(false); }
  StreamWorkScope(const StreamWorkScope&) = delete;
  StreamWorkScope& operator=(const StreamWorkScope&) = delete;
};

constexpr std::size_t most_work = 10'000;  // in a list that is looked at

/// What has to be done before what.
class Order {
 public:
  explicit Order(const std::vector<StreamWork>& work) : work_(work), before_(work.size()) {
    for (std::size_t i = 0; i < work.size(); ++i) {
      before_[i].resize(i);
      for (const StreamWork::Wait& wait : work[i].after) {
        before_[i][wait.work] = true;
        const std::vector<bool>& earlier = before_[wait.work];
        for (std::size_t k = 0; k < earlier.size(); ++k) {
          if (earlier[k]) before_[i][k] = true;
        }
      }
    }
  }

  bool is_before(std::size_t one, std::size_t other) const {
    return one < other && before_[other][one];
  }
  bool is_either_before(std::size_t one, std::size_t other) const {
    return is_before(one, other) || is_before(other, one);
  }

  /// Why a piece of work waits for an earlier one, in words.
  std::string reason(std::size_t earlier, std::size_t later) const {
    bool event = false;
    bool default_stream = false;
    for (const Why why : shortest_way(earlier, later)) {
      if (why == Why::host) {
        return "the host waits for what was issued before, and issues the rest only then";
      }
      event = event || why == Why::event;
      default_stream = default_stream || why == Why::default_stream;
    }
    if (default_stream) {
      return "something is in the default stream, which waits for all work before it, and all work "
             "after it waits for the default stream";
    }
    if (event) return "a stream is told to wait for an event (cudaStreamWaitEvent()) in between";
    return "both are in the same stream";
  }

 private:
  /// From the later one, what it waits for, and so on.
  std::vector<Why> shortest_way(std::size_t earlier, std::size_t later) const {
    std::vector<std::optional<std::pair<std::size_t, Why>>> from(work_.size());
    std::deque<std::size_t> next{later};
    while (!next.empty() && !from[earlier]) {
      const std::size_t here = next.front();
      next.pop_front();
      for (const StreamWork::Wait& wait : work_[here].after) {
        if (from[wait.work]) continue;
        from[wait.work] = {here, wait.why};
        next.push_back(wait.work);
      }
    }
    std::vector<Why> way;
    for (std::size_t here = earlier; here != later && from[here]; here = from[here]->first) {
      way.push_back(from[here]->second);
    }
    return way;
  }

  const std::vector<StreamWork>& work_;
  std::vector<std::vector<bool>> before_;
};

std::vector<std::size_t> all_of(const std::vector<StreamWork>& work, Kind kind) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work[i].kind == kind && (kind == Kind::kernel || work[i].bytes != 0)) found.push_back(i);
  }
  return found;
}

std::string with_line(const std::string& what, const StreamWork& work) {
  return what + (work.line == 0 ? "" : " (line " + std::to_string(work.line) + ")");
}

/// Two pieces of work that should not wait for each other.
struct Part {
  std::string name;
  std::size_t work;
};

/// What is wrong with a pipeline; empty if nothing is.
class PipelineCheck {
 public:
  PipelineCheck(const std::vector<StreamWork>& work, const Pipeline& wanted)
      : work_(work),
        wanted_(wanted),
        order_(work),
        in_(all_of(work, Kind::copy_to_device)),
        out_(all_of(work, Kind::copy_to_host)) {}

  std::string problem() const {
    for (const std::string& found :
         {problem_of(in_, wanted_.copies_in, "to the device", wanted_.bytes_in),
          problem_of(out_, 1, "to the host", wanted_.bytes_out)}) {
      if (!found.empty()) return found;
    }
    for (std::size_t k = 0; k < wanted_.pieces; ++k) {
      if (kernels_of(k).empty()) {
        return "no kernel that waits for the copy in of piece " + std::to_string(k) +
               " is waited for by its copy out";
      }
    }
    for (std::size_t k = 0; k + 1 < wanted_.pieces; ++k) {
      const std::string found = problem_between(k);
      if (!found.empty()) return found;
    }
    return "";
  }

 private:
  /// @param each how many of them a piece has
  std::string problem_of(const std::vector<std::size_t>& copies, std::size_t each,
                         const std::string& where, std::uint64_t bytes) const {
    if (copies.size() != each * wanted_.pieces) {
      return std::to_string(copies.size()) + (copies.size() == 1 ? " copy goes " : " copies go ") +
             where + ", and there are " + std::to_string(wanted_.pieces) + " pieces" +
             (each == 1 ? "" : ", with " + std::to_string(each) + " copies each");
    }
    std::uint64_t sum = 0;
    std::uint64_t largest = 0;
    for (const std::size_t copy : copies) {
      sum += work_[copy].bytes;
      largest = std::max(largest, work_[copy].bytes);
    }
    if (sum != bytes) {
      return "the copies " + where + " move " + std::to_string(sum) + " bytes, and there are " +
             std::to_string(bytes);
    }
    if (largest > 2 * bytes / wanted_.pieces) {
      return "of the copies " + where +
             " one has more than two pieces' share: " + std::to_string(largest) + " of " +
             std::to_string(bytes) + " bytes";
    }
    return "";
  }

  std::vector<std::size_t> kernels_of(std::size_t piece) const {
    std::vector<std::size_t> found;
    for (const std::size_t kernel : all_of(work_, Kind::kernel)) {
      if (order_.is_before(last_in(piece), kernel) && order_.is_before(kernel, out_[piece])) {
        found.push_back(kernel);
      }
    }
    return found;
  }

  std::size_t first_in(std::size_t piece) const { return in_[piece * wanted_.copies_in]; }
  std::size_t last_in(std::size_t piece) const { return in_[(piece + 1) * wanted_.copies_in - 1]; }

  std::string problem_between(std::size_t piece) const {
    const std::string this_one = " of piece " + std::to_string(piece);
    const std::string next_one = " of piece " + std::to_string(piece + 1);
    const Part next_in{"the copy in" + next_one, first_in(piece + 1)};
    const Part out{"the copy out" + this_one, out_[piece]};
    std::vector<std::pair<Part, Part>> pairs;
    for (const std::size_t kernel : kernels_of(piece)) {
      pairs.push_back({{"the kernel" + this_one, kernel}, next_in});
    }
    pairs.push_back({out, next_in});
    for (const std::size_t kernel : kernels_of(piece + 1)) {
      pairs.push_back({out, {"the kernel" + next_one, kernel}});
    }
    for (const auto& [one, other] : pairs) {
      if (!order_.is_either_before(one.work, other.work)) continue;
      const bool is_first = one.work < other.work;
      const Part& first = is_first ? one : other;
      const Part& then = is_first ? other : one;
      return then.name + with_line("", work_[then.work]) + " cannot begin before " + first.name +
             with_line("", work_[first.work]) +
             " has ended: " + order_.reason(first.work, then.work);
    }
    return "";
  }

  const std::vector<StreamWork>& work_;
  const Pipeline& wanted_;
  Order order_;
  std::vector<std::size_t> in_;
  std::vector<std::size_t> out_;
};

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

}  // namespace

StreamRun run_in_streams(const std::function<void()>& work, Kernels kernels) {
  auto list = std::make_shared<detail::StreamList>();
  const StreamWorkScope noting;
  Run seen = run(work, kernels);
  list->work = emulator::stream_work();
  list->graphs = emulator::graph_calls();
  return {std::move(seen), std::move(list)};
}

std::vector<std::string> library_calls(const StreamRun& run) {
  std::vector<std::string> names;
  for (const StreamWork& work : run.streams->work) {
    const bool is_call = work.name.starts_with("cublas") || work.name.starts_with("cutensor");
    if (work.kind == Kind::other && is_call) names.push_back(work.name);
  }
  return names;
}

void expect_no_waits(const StreamRun& run, const std::string& read) {
  const std::vector<StreamWork>& all = run.streams->work;
  for (const StreamWork& work : all) {
    std::string problem;
    if (work.kind == Kind::copy_to_host || work.kind == Kind::copy_to_device) {
      problem = with_line("a copy between host and device", work) + ", " +
                std::to_string(work.bytes) + " bytes";
    }
    for (const StreamWork::Wait& wait : work.after) {
      if (wait.why != Why::host || !problem.empty()) continue;
      problem = "the host waited until " + with_line(all[wait.work].name, all[wait.work]) +
                " was done, and issued " + with_line(work.name, work) + " only then";
    }
    if (!problem.empty()) FAIL(std::string(problem + "\nread again: " + read));
  }
}

void expect_chain_at_most(const StreamRun& run, std::size_t most, const std::string& read) {
  std::vector<std::size_t> kernels;  // in the longest chain up to each piece of work
  for (const StreamWork& work : run.streams->work) {
    std::size_t before = 0;
    for (const StreamWork::Wait& wait : work.after) before = std::max(before, kernels[wait.work]);
    kernels.push_back(before + (work.kind == Kind::kernel ? 1 : 0));
  }
  const std::size_t longest = kernels.empty() ? 0 : *std::ranges::max_element(kernels);
  if (longest <= most) return;
  FAIL(std::string(
      std::to_string(longest) + " kernels wait one for the other, and " + std::to_string(most) +
      " is what the ring needs: devices that could work at once do not\nread again: " + read));
}

void expect_pipeline(const StreamRun& run, const Pipeline& pipeline) {
  const std::vector<StreamWork>& work = run.streams->work;
  const std::string problem = work.size() > most_work
                                  ? "the streams were given more work than the check can look at"
                                  : PipelineCheck(work, pipeline).problem();
  if (!problem.empty()) FAIL(std::string(problem + "\nread again: " + pipeline.read));
}

namespace {

/// Whether each launch of the graph has as many kernels as the others, which load and store as
/// much.
bool are_rounds_alike(const Run& run, std::uint64_t rounds) {
  std::vector<emulator::Traffic> kernels;
  for (const emulator::LaunchRecord& launch : run.launches().records) {
    if (launch.grid.x != 0) kernels.push_back(launch.traffic);
  }
  if (rounds == 0 || kernels.size() % rounds != 0) return kernels.empty();
  const std::size_t of_a_round = kernels.size() / rounds;
  for (std::size_t k = of_a_round; k < kernels.size(); ++k) {
    for (const Counter counter : {Counter::global_load_requests, Counter::global_load_sectors,
                                  Counter::global_store_requests, Counter::global_store_sectors}) {
      if (detail::value_of(kernels[k], counter) !=
          detail::value_of(kernels[k % of_a_round], counter)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void expect_repeated_graph(const StreamRun& run, const RepeatedGraph& graph) {
  const emulator::GraphCalls& calls = run.streams->graphs;
  const auto kernels = static_cast<std::uint64_t>(
      std::ranges::count_if(run.run.launches().records,
                            [](const emulator::LaunchRecord& launch) { return launch.grid.x; }));
  std::string problem;
  if (calls.instantiations == 0) {
    problem = "no graph was instantiated (cudaGraphInstantiate())";
  } else if (calls.instantiations > 1) {
    problem = "graphs were instantiated " + times(calls.instantiations) +
              ", and once is enough: it takes longer than many launches do";
  } else if (calls.captures != 1) {
    problem = "a capture was ended " + times(calls.captures) +
              ", and once is right: what one round launches is the same as what any other does";
  } else if (calls.updates != 0) {
    problem = "the instantiated graph was changed " + times(calls.updates) +
              ". What differs from round to round can be kept in the device's memory";
  } else if (calls.launches != graph.launches) {
    problem = "the graph was launched " + times(calls.launches) + ", for " +
              std::to_string(graph.launches) + " rounds";
  } else if (kernels != calls.kernels) {
    problem = std::to_string(kernels) + " kernels ran, and the graph's launches account for " +
              std::to_string(calls.kernels) + ": the others were launched one by one";
  } else if (!are_rounds_alike(run.run, graph.launches)) {
    problem =
        "the launches of the graph do not all do the same: each is to do the work of a round, and "
        "here some of their kernels load or store more than in another launch";
  } else if (calls.destroyed_executables == 0) {
    problem = "the instantiated graph was not destroyed (cudaGraphExecDestroy())";
  } else if (calls.destroyed_graphs == 0) {
    problem =
        "the captured graph was not destroyed (cudaGraphDestroy()): an instantiated graph is a "
        "copy of it";
  }
  if (!problem.empty()) FAIL(std::string(problem + "\nread again: " + graph.read));
}

#else

struct detail::StreamList {};

StreamRun run_in_streams(const std::function<void()>& work, Kernels kernels) {
  return {run(work, kernels), std::make_shared<detail::StreamList>()};
}

std::vector<std::string> library_calls(const StreamRun&) {
  return {};
}

void expect_no_waits(const StreamRun&, const std::string&) {}

void expect_chain_at_most(const StreamRun&, std::size_t, const std::string&) {}

void expect_pipeline(const StreamRun&, const Pipeline&) {}

void expect_repeated_graph(const StreamRun&, const RepeatedGraph&) {}

#endif

}  // namespace course::exercise
