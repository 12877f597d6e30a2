#include "observers/timeline/step_model.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace emulator::timeline {

/// Plays a program from one happening to the next.
class StepsOfAProgram {
 public:
  using Index = StepModel::Index;

  explicit StepsOfAProgram(const StepModel& model)
      : model_(model),
        placed_{std::vector<Span>(model.pieces_.size()), std::vector<Span>(model.pieces_.size()),
                std::vector<Span>(model.waits_.size()), std::vector<Span>(model.busy_.size())},
        pieces_(model.pieces_.size()),
        threads_(model.threads_.size()) {
    for (Index piece = 0; piece < pieces_.size(); ++piece) {
      pieces_[piece].misses = model.pieces_[piece].after.size() + 1;  // and the call
      for (const Index other : model.pieces_[piece].after) {
        pieces_[other].before_pieces.push_back(piece);
      }
    }
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      happen(0, Kind::host_goes_on, thread);
    }
  }

  StepModel::Placed play() {
    while (!happenings_.empty()) {
      const Steps now = happenings_.top().at;
      while (!happenings_.empty() && happenings_.top().at == now) {
        const Happening next = happenings_.top();
        happenings_.pop();
        if (next.kind == Kind::piece_ends) end(next.number, now);
        if (next.kind == Kind::piece_is_issued) one_thing_less(next.number, now);
        if (next.kind == Kind::host_goes_on) go_on(next.number, now);
      }
      start_engines(now);
    }
    return std::move(placed_);
  }

 private:
  // At the same step, what ends comes before what can then begin.
  enum class Kind { piece_ends, piece_is_issued, host_goes_on };
  struct Happening {
    Steps at;
    Kind kind;
    std::size_t number;  // of the piece or the thread

    bool operator>(const Happening& other) const {
      return std::tie(at, kind, number) > std::tie(other.at, other.kind, other.number);
    }
  };

  struct PieceState {
    std::size_t misses = 0;  // before it can begin
    bool has_ended = false;
    std::vector<Index> before_pieces;
    std::vector<std::size_t> before_threads;
  };
  struct ThreadState {
    std::size_t next = 0;
    std::size_t misses = 0;  // before its wait is over
  };
  struct EngineState {
    bool is_free = true;
    std::set<Index> ready;  // the first issued goes first
  };

  void happen(Steps at, Kind kind, std::size_t number) { happenings_.push({at, kind, number}); }

  void begin(Index piece, Steps now) {
    placed_.pieces[piece] = {now, now + model_.pieces_[piece].steps};
    happen(placed_.pieces[piece].end, Kind::piece_ends, piece);
  }

  void one_thing_less(Index piece, Steps now) {
    if (--pieces_[piece].misses != 0) return;
    const Engine engine = model_.pieces_[piece].engine;
    if (engine == Engine::none) {
      begin(piece, now);
    } else {
      engines_[static_cast<std::size_t>(engine)].ready.insert(piece);
    }
  }

  void start_engines(Steps now) {
    for (EngineState& engine : engines_) {
      if (!engine.is_free || engine.ready.empty()) continue;
      engine.is_free = false;
      begin(engine.ready.extract(engine.ready.begin()).value(), now);
    }
  }

  void end(Index piece, Steps now) {
    PieceState& state = pieces_[piece];
    state.has_ended = true;
    engines_[static_cast<std::size_t>(model_.pieces_[piece].engine)].is_free = true;
    for (const Index other : state.before_pieces) one_thing_less(other, now);
    for (const std::size_t thread : state.before_threads) {
      if (--threads_[thread].misses == 0) happen(now, Kind::host_goes_on, thread);
    }
  }

  // A host thread's next actions, until one takes steps.
  void go_on(std::size_t thread, Steps now) {
    ThreadState& state = threads_[thread];
    const auto& actions = model_.threads_[thread];
    while (state.next < actions.size()) {
      const auto [what, number] = actions[state.next];
      if (what == StepModel::What::wait) {
        if (!wait(thread, number, now)) return;
        continue;
      }
      ++state.next;
      if (what == StepModel::What::issue && model_.pieces_[number].is_of_last_call) {
        placed_.calls[number] = {now, now};
        happen(now, Kind::piece_is_issued, number);
        continue;
      }
      Span& span = what == StepModel::What::issue ? placed_.calls[number] : placed_.busy[number];
      span = {now, now + (what == StepModel::What::issue ? 1 : model_.busy_[number])};
      if (what == StepModel::What::issue) happen(span.end, Kind::piece_is_issued, number);
      return happen(span.end, Kind::host_goes_on, thread);
    }
  }

  // Whether the wait is over. It is looked at as it begins, and when all has ended.
  bool wait(std::size_t thread, std::size_t number, Steps now) {
    ThreadState& state = threads_[thread];
    Span& span = placed_.waits[number];
    const auto& pieces = model_.waits_[number];
    const bool is_over =
        std::ranges::all_of(pieces, [this](Index piece) { return pieces_[piece].has_ended; });
    if (waiting_.insert(number).second) span.begin = now;
    if (is_over) {
      span.end = now;
      ++state.next;
      return true;
    }
    for (const Index piece : pieces) {
      if (pieces_[piece].has_ended) continue;
      pieces_[piece].before_threads.push_back(thread);
      ++state.misses;
    }
    return false;
  }

  const StepModel& model_;
  StepModel::Placed placed_;
  std::vector<PieceState> pieces_;
  std::vector<ThreadState> threads_;
  std::array<EngineState, engine_count> engines_;
  std::set<std::size_t> waiting_;  // waits that have begun
  std::priority_queue<Happening, std::vector<Happening>, std::greater<>> happenings_;
};

std::vector<StepModel::Action>& StepModel::actions_of(std::size_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  return threads_[thread];
}

StepModel::Index StepModel::issue(std::size_t thread, Engine engine, Steps steps,
                                  std::vector<Index> after, bool is_of_last_call) {
  // An engine that ends what it has just begun could begin more in the same step.
  if (engine != Engine::none) steps = std::max<Steps>(steps, 1);
  pieces_.push_back({engine, steps, std::move(after), is_of_last_call});
  actions_of(thread).push_back({What::issue, pieces_.size() - 1});
  return pieces_.size() - 1;
}

std::size_t StepModel::wait(std::size_t thread, std::vector<Index> pieces) {
  waits_.push_back(std::move(pieces));
  actions_of(thread).push_back({What::wait, waits_.size() - 1});
  return waits_.size() - 1;
}

std::size_t StepModel::busy(std::size_t thread, Steps steps) {
  busy_.push_back(steps);
  actions_of(thread).push_back({What::busy, busy_.size() - 1});
  return busy_.size() - 1;
}

StepModel::Placed StepModel::place() const {
  return StepsOfAProgram(*this).play();
}

}  // namespace emulator::timeline
