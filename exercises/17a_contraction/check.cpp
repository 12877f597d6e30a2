// The checks of exercise 17a. The function under test is in contraction.cu.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>

#include "checks/exercise.hpp"
#include "cutensor.hpp"

void launch_contraction(cutensorHandle_t handle, const char* modes_a, const char* modes_b,
                        const char* modes_c, const std::int64_t* extents, float alpha,
                        const float* A, const float* B, float beta, float* C);

namespace {

namespace exercise = course::exercise;

/// A handle of cuTENSOR's for a case.
class Handle {
 public:
  Handle() { CUDA_CHECK(cutensorCreate(&handle_)); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { CUDA_WARN(cutensorDestroy(handle_)); }
  operator cutensorHandle_t() const { return handle_; }

 private:
  cutensorHandle_t handle_ = nullptr;
};

using Extents = std::array<std::int64_t, 26>;

/// Extents of some letters: {{'i', 3}, {'j', 4}}.
Extents extents_of(const std::vector<std::pair<char, int>>& pairs) {
  Extents extents{};
  for (const auto& [letter, extent] : pairs)
    extents[static_cast<std::size_t>(letter - 'a')] = extent;
  return extents;
}

struct Factors {
  float alpha = 1;
  float beta = 0;
};

/// "C[i,j] = A[i,k] B[k,j]", with tensors of whole numbers.
class Problem {
 public:
  Problem(std::string a, std::string b, std::string c, Extents extents, Factors factors = {},
          std::size_t offset = 0)
      : modes_a_(std::move(a)),
        modes_b_(std::move(b)),
        modes_c_(std::move(c)),
        extents_(extents),
        factors_(factors),
        offset_(offset),
        a_(wide_numbers(elements(modes_a_))),
        b_(course::exact_vector(elements(modes_b_), 1U << 20, 2)),
        c_(course::exact_vector(elements(modes_c_), 1U << 20, 3)),
        A_(behind_a_gap(a_)),
        B_(behind_a_gap(b_)),
        C_(behind_a_gap(factors.beta == 0
                            ? std::vector<float>(c_.size(), std::numeric_limits<float>::quiet_NaN())
                            : c_)) {}

  void call(cutensorHandle_t handle) {
    launch_contraction(handle, modes_a_.c_str(), modes_b_.c_str(), modes_c_.c_str(),
                       extents_.data(), factors_.alpha, A_.data() + offset_, B_.data() + offset_,
                       factors_.beta, C_.data() + offset_);
  }

  void expect_right() const {
    const std::vector<float> all = C_.to_host();
    const std::vector<float> got(all.begin() + static_cast<std::ptrdiff_t>(offset_), all.end());
    const std::size_t columns =
        modes_c_.empty() ? 1 : static_cast<std::size_t>(extent(modes_c_.back()));
    exercise::expect_exact(got, expected(), got.size() / columns, columns,
                           "rows along the last mode, " + where());
    exercise::expect_intact(C_.intact(), "C", where());
    if (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(offset_),
                    [](float value) { return value == value; })) {
      FAIL(std::string("with " + where() + ": something was written before the start of C"));
    }
  }

  std::string where() const {
    std::string text = "C[" + modes_c_ + "] = " + std::to_string(factors_.alpha) + " A[" +
                       modes_a_ + "] B[" + modes_b_ + "]";
    if (factors_.beta != 0) text += " + " + std::to_string(factors_.beta) + " C";
    for (const char letter : letters()) {
      text += std::string(", ") + letter + " = " + std::to_string(extent(letter));
    }
    if (offset_ != 0) text += ", arrays that begin 4 bytes past a multiple of 256";
    return text;
  }

 private:
  std::int64_t extent(char letter) const {
    return extents_[static_cast<std::size_t>(letter - 'a')];
  }
  std::size_t elements(const std::string& modes) const {
    std::size_t count = 1;
    for (const char letter : modes) count *= static_cast<std::size_t>(extent(letter));
    return count;
  }
  std::set<char> letters() const {
    std::set<char> all(modes_a_.begin(), modes_a_.end());
    all.insert(modes_b_.begin(), modes_b_.end());
    all.insert(modes_c_.begin(), modes_c_.end());
    return all;
  }

  /// Whole numbers of twelve bits, and odd ones, so that they do not fit into shorter floats.
  static std::vector<float> wide_numbers(std::size_t count) {
    std::vector<float> values = course::exact_vector(count, 1, 1);
    const std::vector<float> more = course::exact_vector(count, 1, 4);
    for (std::size_t k = 0; k < count; ++k) values[k] = 2049 + 128 * values[k] + 2 * more[k];
    return values;
  }

  std::vector<float> behind_a_gap(const std::vector<float>& values) const {
    std::vector<float> all(offset_, std::numeric_limits<float>::quiet_NaN());
    all.insert(all.end(), values.begin(), values.end());
    return all;
  }

  std::vector<double> expected() const {
    std::vector<double> result(c_.size());
    for (std::size_t k = 0; k < c_.size(); ++k) {
      if (factors_.beta != 0) result[k] = double{factors_.beta} * double{c_[k]};
    }
    const std::set<char> all = letters();
    const std::vector<char> order(all.begin(), all.end());
    std::vector<std::int64_t> index(26);
    const auto place = [&](const std::string& modes) {
      std::size_t at = 0;
      for (const char letter : modes) {
        at = at * static_cast<std::size_t>(extent(letter)) +
             static_cast<std::size_t>(index[static_cast<std::size_t>(letter - 'a')]);
      }
      return at;
    };
    const std::function<void(std::size_t)> loop = [&](std::size_t depth) {
      if (depth == order.size()) {
        result[place(modes_c_)] +=
            double{factors_.alpha} * double{a_[place(modes_a_)]} * double{b_[place(modes_b_)]};
        return;
      }
      std::int64_t& i = index[static_cast<std::size_t>(order[depth] - 'a')];
      for (i = 0; i < extent(order[depth]); ++i) loop(depth + 1);
    };
    loop(0);
    return result;
  }

  std::string modes_a_;
  std::string modes_b_;
  std::string modes_c_;
  Extents extents_;
  Factors factors_;
  std::size_t offset_;
  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> c_;
  exercise::Array<float> A_;
  exercise::Array<float> B_;
  exercise::Array<float> C_;
};

void check(Problem&& problem, cutensorHandle_t handle) {
  // Library calls are not kernels of ours, so none is expected to be seen.
  exercise::run([&] { problem.call(handle); }, exercise::Kernels::in_a_library, problem.where());
  problem.expect_right();
}

Extents of_the_chapter(int m, int u, int n, int v, int h, int k) {
  return extents_of({{'m', m}, {'u', u}, {'n', n}, {'v', v}, {'h', h}, {'k', k}});
}

std::size_t free_bytes() {
  std::size_t available = 0;
  std::size_t all = 0;
  CUDA_CHECK(cudaMemGetInfo(&available, &all));
  return available;
}

}  // namespace

TEST_CASE("correct: products of matrices") {
  const Handle handle;
  for (const int i : {1, 2, 5, 33, exercise::drawn(20, 6, 40)}) {
    for (const int j : {1, 3, 32}) {
      const Extents extents = extents_of({{'i', i}, {'j', j}, {'k', 7}});
      check({"ik", "kj", "ij", extents}, handle);
      check({"ki", "jk", "ij", extents}, handle);
      check({"ik", "jk", "ji", extents}, handle);
    }
  }
}

TEST_CASE("correct: four modes each") {
  const Handle handle;
  for (const Extents& extents : {of_the_chapter(2, 3, 4, 5, 6, 7), of_the_chapter(7, 6, 5, 4, 3, 2),
                                 of_the_chapter(1, 2, 1, 3, 2, 1), of_the_chapter(9, 1, 3, 2, 4, 5),
                                 of_the_chapter(4, 4, 4, 4, 4, 4)}) {
    check({"mhkn", "ukvh", "munv", extents}, handle);
    check({"nkmh", "hvuk", "vnum", extents}, handle);
  }
}

TEST_CASE("correct: other notations") {
  const Handle handle;
  const Extents extents =
      extents_of({{'b', 5}, {'i', 3}, {'j', 4}, {'k', 6}, {'l', 2}, {'x', 1}, {'z', 9}});
  check({"bik", "bkj", "bij", extents}, handle);  // a product of matrices for each b
  check({"kib", "jkb", "ibj", extents}, handle);
  check({"i", "j", "ij", extents}, handle);    // every product of two elements
  check({"ijk", "kij", "", extents}, handle);  // one number
  check({"ik", "k", "i", extents}, handle);
  check({"zxl", "lxkb", "bzk", extents}, handle);
  check({"bz", "bz", "zb", extents}, handle);  // element by element
}

TEST_CASE("correct: factors") {
  const Handle handle;
  const Extents extents = extents_of({{'i', 5}, {'j', 4}, {'k', 6}});
  for (const Factors& factors :
       {Factors{2, 0}, Factors{1, 1}, Factors{-1, 3}, Factors{0.5F, -2}, Factors{0, 2}}) {
    check({"ik", "kj", "ij", extents, factors}, handle);
    check({"ki", "jk", "ji", extents, factors}, handle);
  }
}

TEST_CASE("correct: tensors that begin anywhere") {
  const Handle handle;
  check({"ik", "kj", "ij", extents_of({{'i', 9}, {'j', 4}, {'k', 8}}), {}, 1}, handle);
  check({"mhkn", "ukvh", "munv", of_the_chapter(4, 3, 4, 2, 4, 4), {1, 1}, 1}, handle);
}

TEST_CASE("safe: nothing is left behind") {
  const Handle handle;
  const Extents extents = of_the_chapter(8, 7, 6, 5, 4, 3);
  check({"mhkn", "ukvh", "munv", extents}, handle);  // what the library keeps for itself is there
  if (course::on_emulator) {  // what is still allocated is found when this case ends
    Problem problem("mhkn", "ukvh", "munv", extents);
    exercise::run([&] { problem.call(handle); }, exercise::Kernels::in_a_library);
    problem.expect_right();
    exercise::expect_no_findings();
    return;
  }
  // Other programs may take memory meanwhile: what is lost in every one of five calls, this one
  // loses.
  std::size_t lost = 0;
  for (int call = 0; call < 5; ++call) {
    Problem problem("mhkn", "ukvh", "munv", extents);
    const std::size_t before = free_bytes();
    exercise::run([&] { problem.call(handle); }, exercise::Kernels::in_a_library);
    const std::size_t after = free_bytes();
    problem.expect_right();
    lost = after < before ? before - after : 0;
    if (lost == 0) break;
  }
  if (lost != 0) {
    FAIL(std::string("when the function returned, " + std::to_string(lost) +
                     " more bytes of device memory were in use than when it was called, every "
                     "time. What frees the workspace?"));
  }
  exercise::expect_no_findings();
}

TEST_CASE("safe: what fails is reported") {
  const Handle handle;
  const Extents extents = extents_of({{'i', 3}, {'j', 4}, {'k', 5}, {'z', 2}});
  check({"ik", "kj", "ij", extents}, handle);
  const auto reports = [](Problem&& problem, cutensorHandle_t with) {
    return exercise::ends_in_an_exception([&] { problem.call(with); });
  };
  if (!reports({"ik", "kj", "ij", extents}, nullptr)) {
    FAIL(
        "given nullptr in place of a handle, launch_contraction() returned as if all were well.\n"
        "Every call of the library returns a status: hand it to CUDA_CHECK().");
  }
  if (!reports({"ik", "kj", "iz", extents}, handle)) {
    FAIL(
        "C[i,z] = A[i,k] B[k,j] makes no sense, since z is in neither A nor B, and "
        "launch_contraction() returned as if all were well.\n"
        "Every call of the library returns a status: hand it to CUDA_CHECK().");
  }
}
