/// @file
/// The matrix-vector product that chapters 01 to 07 compute, on the device and ready to run.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "data.hpp"
#include "device.hpp"
#include "launchers.hpp"
#include "options.hpp"
#include "report.hpp"
#include "timing.hpp"
#include "verify.hpp"

namespace course {

/// y = A x: a problem's data on the host, and A, x and memory for y on the device.
class SgemvOnDevice {
 public:
  SgemvOnDevice(const Options& options, Data data, Layout layout)
      : problem_(make_sgemv(data, options.rows, options.cols, layout, options.seed)),
        A(problem_.A),
        x(problem_.x),
        y(options.rows) {}

  /// Whether y is right. Exact data is compared bit for bit.
  Verdict verify() const { return course::verify(y.to_host(), problem_); }

 private:
  SgemvProblem problem_;  // before the arrays that are made from it

 public:
  DeviceArray<float> A;  ///< rows x cols, in the requested layout
  DeviceArray<float> x;  ///< cols elements
  DeviceArray<float> y;  ///< rows elements, poisoned until a kernel writes them
};

/// A kernel of a chapter.
struct SgemvRung {
  std::string name;
  SgemvLauncher launch;
  double bytes_a_thread = 0;                         ///< of A, in flight before a thread waits
  std::function<double(int m, int n)> threads = {};  ///< in total; empty if not counted

  /// The bytes in flight at most; 0 if not counted.
  double in_flight(int m, int n) const {
    return threads ? bytes_in_flight(threads(m, n), bytes_a_thread) : 0.0;
  }
};

/// Like chapter 01's main(), for one kernel or several: each is verified with small whole numbers,
/// then timed and verified with the requested data, and gets a row in the report. (Compiled with
/// the program: whether that was instrumented decides if there is traffic to count.)
inline void verify_and_time(const Options& options, Report& report, Layout layout,
                            const std::vector<SgemvRung>& rungs) {
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  {  // Sums of small whole numbers are exact, so a correct kernel gets every bit right.
    SgemvOnDevice exact(options, Data::exact, layout);
    for (const SgemvRung& rung : rungs) {
      exact.y.poison();
      rung.launch(exact.A, exact.x, exact.y, m, n);
      report.check(rung.name, "exact data", exact.verify());
    }
  }
  SgemvOnDevice sgemv(options, options.data, layout);
  for (const SgemvRung& rung : rungs) {
    const Timing timing =
        TIME_EVENTS(options, sgemv.y.poison(), rung.launch(sgemv.A, sgemv.x, sgemv.y, m, n));
    report.check(rung.name, "timed data", sgemv.verify());
    report.add(rung.name, timing, sgemv_work(m, n), rung.in_flight(m, n));
  }
}

/// Refuses a size that does not fit: A, x and y on either side, and the reference on the host.
/// @param copies how many more matrices of A's size the program has on the device
void require_sgemv_memory(const Options& options, int copies = 0);

/// Options of a chapter of the SGEMV ladder.
/// @param add_own adds the chapter's own: `[&](course::Defaults& defaults) { defaults.add(...); }`
Options parse_sgemv_options(
    int argc, char** argv, const char* program, const char* description,
    const std::function<void(Defaults& defaults)>& add_own = [](Defaults&) {});

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "sgemv.inl"
#endif
