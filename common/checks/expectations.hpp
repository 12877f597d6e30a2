/// @file
/// What exercise.hpp declares that is the same for all exercises.
#pragma once

#include <sys/types.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"
#include "device.hpp"
#include "testing/awkward_shapes.hpp"
#include "testing/drawn.hpp"
#include "testing/guarded_array.hpp"

/// doctest shows where text of this type is, and not what it says: `n > 1 ? "many" : ""`.
template <>
struct doctest::StringMaker<const char*> {
  static String convert(const char* text) { return text == nullptr ? "" : text; }
};

namespace course::exercise {

using testing::awkward_shapes;
using testing::awkward_sizes;
using testing::drawn;

/// An array in the device's memory for a kernel under test, its surroundings watched.
template <class T>
using Array = testing::GuardedArray<T>;

/// A row-major matrix of exact values, its rows `ld` elements apart, with NaN in the gaps between
/// them: one element of a gap spoils a result.
/// @param terms how many of its products are added up, as for course::ExactValues
inline std::vector<float> matrix_with_gaps(std::size_t rows, std::size_t cols, std::size_t ld,
                                           std::size_t terms) {
  std::vector<float> A(rows * ld, std::numeric_limits<float>::quiet_NaN());
  const course::ExactValues values(terms);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) A[i * ld + j] = values(i, j);
  }
  return A;
}

/// What can be counted. See emulator::Traffic for what each is. An atomic operation counts as a
/// load and as a store as well; a bulk copy as the sectors that it moves, and as the requests that
/// would move as much.
enum class Counter : std::uint8_t {
  global_load_requests,
  global_load_sectors,
  global_store_requests,
  global_store_sectors,
  global_atomic_requests,
  global_atomic_sectors,  ///< a sector counts once for each lane that means the same element
  shared_load_instructions,
  shared_store_instructions,
  shared_wavefronts,
  shared_bank_conflicts,
  barriers,  ///< and other waits for threads of the block, as at mbarriers
};

/// A counter in words: "sectors loaded from global memory".
const char* in_words(Counter counter);

namespace detail {
struct Launches;
}

/// What run() saw. On a GPU there is nothing to count, and every counter is 0.
class Run {
 public:
  explicit Run(std::shared_ptr<const detail::Launches> launches) : launches_(std::move(launches)) {}

  std::uint64_t count(Counter counter) const;
  const detail::Launches& launches() const { return *launches_; }

 private:
  std::shared_ptr<const detail::Launches> launches_;
};

/// Whether run() may find that no kernel was launched: where a library is to do the work, whose own
/// kernels are not seen, there must be no others; and an empty sum can be set by a copy.
enum class Kernels : std::uint8_t { expected, in_a_library, if_needed };

/// For a result that is a sum of `terms` terms, or the like: without one term per call of the API
/// can set it, if the exercise allows that.
inline Kernels kernels_for(int terms) {
  return terms == 0 ? Kernels::if_needed : Kernels::expected;
}

/// Calls `work`, waits for the device, and returns what was counted. Fails the case if a kernel or
/// a call failed, and, on the emulator, if no kernel was launched.
/// @param where the problem's size, for that message, in a case which also has sizes that want none
Run run(const std::function<void()>& work, Kernels kernels = Kernels::expected,
        const std::string& where = "");

/// Calls `work` once for each of some orders in which the emulator's streams may do their work, all
/// of them legal: as issued, as late as CUDA allows, and a few at random. What is right in one of
/// them only by luck is wrong in another. What is not ready when a function under test returns must
/// be looked at in what run() is given: when run() returns, the device has been waited for.
/// @param work is given the order, for its messages: "EMULATOR_ORDER=late". On a GPU, which has one
///        order, and nobody says which, it is called once, with "on a GPU".
void in_every_order(const std::function<void(const std::string& order)>& work);

/// Whether a call of a function under test ends in an exception when a call of CUDA's fails in it.
/// On the emulator any copy, one after the other, or any launch is made to fail. It returns what
/// failed unnoticed, in words, or nothing; on a GPU nothing.
std::string unnoticed_failure(const std::function<void()>& call);

/// Whether a call of a function under test ends in an exception: CUDA_CHECK()'s, or any other, as
/// students throw by a macro of their own. If a submission's program ended there, it is not.
bool ends_in_an_exception(const std::function<void()>& call);

/// Copies between the host's memory and the device's, as a run has asked for them.
struct Copies {
  std::uint64_t pinned = 0;    ///< calls that copy from or to pinned memory
  std::uint64_t pageable = 0;  ///< and from or to any other
  std::uint64_t pinned_bytes = 0;
  /// The most copies of pinned memory that were issued and not done: what could be in flight while
  /// the host goes on.
  std::uint64_t most_on_their_way = 0;
};

/// Calls `work` as run() does, and returns what it copied. On a GPU nobody counts: all are 0.
Copies count_copies(const std::function<void()>& work);

/// What a result is that was wrong in an order of in_every_order(): nothing if that was the order
/// of issue; else that a wait is missing, for as issued it was right.
/// @param where holds the order: "n = 4, EMULATOR_ORDER=late"
std::string missing_wait(const std::string& where);

/// What a mistake that many make brings in place of the right result.
struct Mistake {
  std::vector<double> result;  ///< all of it; NaN: not written
  std::string cause;           ///< a sentence or two: "each launch begins with x again"
};

/// Fails the case unless the result, rows x cols and row after row, is as expected bit for bit.
/// The message names the first wrong elements and the likely cause, where one of the mistakes, the
/// order of the work, or the pattern of the wrong elements shows it.
/// @param where the problem's size, for the message: "m = 3, n = 5"; and the order
void expect_exact(const std::vector<float>& got, const std::vector<double>& expected,
                  std::size_t rows, std::size_t cols, const std::string& where,
                  const std::vector<Mistake>& mistakes = {});

/// The same for a vector.
inline void expect_exact(const std::vector<float>& got, const std::vector<double>& expected,
                         const std::string& where, const std::vector<Mistake>& mistakes = {}) {
  expect_exact(got, expected, got.size(), 1, where, mistakes);
}

/// Fails the case if the memory beside one of the arrays was written.
void expect_intact(bool intact, const std::string& name, const std::string& where);

/// Fails the case if the emulator's checks found an error since the start of the case; what they
/// found is below the message. Does nothing on a GPU, where compute-sanitizer looks for errors.
void expect_no_findings();

/// A figure of a run, and how large it may be.
struct Limit {
  Counter counter;
  std::uint64_t limit;  ///< the most that passes
  std::uint64_t model;  ///< what the model solution was counted at
  std::uint64_t naive;  ///< what the naive version needs; 0: there is none to compare with
  std::string why;      ///< why the limit is where it is: sentences
  std::string read;     ///< where to read again: "chapters/02_coalesced/README.md, 'The idea'"
};

/// Fails the case if the run counted more than the limit, or read what nobody has written. The
/// message gives all figures, the line that costs most and how to draw it. With
/// COURSE_CHECK_MODEL=1 in the environment, where the model solution itself is checked, it also
/// fails if the model's figure is not the one given. Emulator only; on a GPU it does nothing.
void expect_at_most(const Run& run, const Limit& limit);

/// Fails the case unless `yours` is at least `least` times as fast as `naive`: both are launched in
/// turn, 31 times after warming up, and the medians of the event times are compared.
/// On the emulator, whose times say nothing about a GPU, it does nothing.
void expect_faster(const std::function<void()>& naive, const std::function<void()>& yours,
                   double least, const std::string& read);

/// Leaves out the emulator's warnings of that kind where what a case has found is shown: for a
/// program whose right solution draws them. To be called before any case runs.
bool expect_warnings(const std::string& kind);

/// Marks the case as skipped, with the reason. To be followed by a return.
void skip(const std::string& reason);

/// Says something that is worth knowing although the case passed.
void note(const std::string& text);

namespace detail {

/// Tells the program which exercise it checks.
bool set_exercise(const char* name, const char* file);

/// What a case has to say besides its failures.
struct CaseRemarks {
  bool skipped = false;
  std::string text;
};
CaseRemarks& case_remarks();

/// What is to be done when a case is over, before its process ends as a program does; returns what
/// is wrong, or nothing. Set where the code under test runs in another process.
std::function<std::string()>& at_case_end();

/// Whether this program is such a judge: none of the student's code is in its processes, so that
/// what becomes of them is never the student's doing.
inline bool is_judge() {
  return at_case_end() != nullptr;
}

/// Of a case that did not end in time: what has kept it, if it was not the code under test; else
/// nothing. Set by a judge.
std::function<std::string(pid_t)>& stall_cause();

/// The exercise's name, 01a_residual, and the file to write in, as messages name it.
const std::string& exercise_name();
const std::string& exercise_file();

}  // namespace detail
}  // namespace course::exercise
