/// @file
/// Chapter 27: every kernel with its data, its name and what it should write; for the program, its
/// tests and the bench.
#pragma once

#include <memory>

#include "launch.hpp"
#include "reference.hpp"

namespace rows {

constexpr float epsilon = 1e-5F;

/// Matrices and vectors of a size, on the host and on the device.
template <class T>
struct Data {
  Data(std::size_t rows_, std::size_t cols_, std::uint64_t seed, bool all = true)
      : rows(rows_),
        cols(cols_),
        host_x(some_numbers<T>(rows, cols, seed, 2)),
        host_second(some_numbers<T>(all ? rows : 0, cols, seed + 1)),
        host_gamma(some_numbers<T>(1, cols, seed + 2, 0.2F, 1)),
        host_beta(some_numbers<T>(1, cols, seed + 3)),
        host_targets(rows),
        x(host_x),
        second(host_second),
        gamma(host_gamma),
        beta(host_beta),
        targets(targets_of(seed)),
        y(rows * cols),
        sum(host_second.size()),
        losses(rows) {}

  Doubles row_of(const std::vector<T>& matrix, std::size_t row) const {
    Doubles values(cols);
    for (std::size_t j = 0; j < cols; ++j) values[j] = as_double(matrix[row * cols + j]);
    return values;
  }

  std::size_t rows, cols;
  std::vector<T> host_x, host_second, host_gamma, host_beta;
  std::vector<int> host_targets;
  course::DeviceArray<T> x, second, gamma, beta;
  course::DeviceArray<int> targets;
  course::DeviceArray<T> y, sum;
  course::DeviceArray<float> losses;

 private:
  const std::vector<int>& targets_of(std::uint64_t seed) {
    for (std::size_t i = 0; i < rows; ++i) {
      host_targets[i] = static_cast<int>(course::RandomBits(seed + 4)(i) % cols);
    }
    return host_targets;
  }
};

/// A kernel that can be launched and verified.
struct Case {
  std::string name;
  int matrices;  // that it reads and writes
  std::function<void()> poison, launch;
  std::function<double()> error;  // the largest: see largest_error()
  double tolerance;

  course::Verdict verify() const {
    const double largest = error();
    char text[100];
    std::snprintf(text, sizeof text, "largest error %.2g, allowed %.2g", largest, tolerance);
    return {largest <= tolerance, text};
  }
};

/// One rounding of the result to T, twice over; and what powers and sums of floats round before.
template <class T>
constexpr double tolerance_of = sizeof(T) == 4 ? 1e-5 : 0x1p-8;

/// Makes cases of one Data, which lives as long as they do.
template <class T>
class Cases {
 public:
  explicit Cases(std::shared_ptr<Data<T>> data) : data_(std::move(data)) {}

  /// The rungs of softmax.
  std::vector<Case> softmax_rungs() const {
    const auto task = softmax_task<ByEx2>();
    const auto by_expf = softmax_task<ByExpf>();
    const int rows = count();
    return {softmax("three passes", [=] { launch_three_passes(by_expf, rows); }),
            softmax("online", [=] { launch_online(by_expf, rows); }),
            softmax("online, ex2", [=] { launch_online(task, rows); }),
            softmax("16 bytes", [=] { launch_in_two_passes(task, rows); }),
            softmax("16 bytes, expf", [=] { launch_in_two_passes(by_expf, rows); }),
            softmax("registers", [=] { launch_held(task, rows); }),
            softmax("ours", [=] { launch_rows(task, rows); })};
  }
  /// What else is computed of rows, each by the best kernel.
  std::vector<Case> others() const {
    std::vector<Case> all = {log_softmax(), cross_entropy()};
    for (Case& norm : norms()) all.push_back(std::move(norm));
    for (Case& backward : gradients()) all.push_back(std::move(backward));
    return all;
  }
  std::vector<Case> norms() const {
    return {norm<LayerNorm<T, false>>("layer norm", true, false),
            norm<RmsNorm<T, false>>("RMS norm", false, false),
            norm<LayerNorm<T, true>>("layer norm, residual", true, true),
            norm<RmsNorm<T, true>>("RMS norm, residual", false, true)};
  }
  /// The norms by the kernel that fits any row: what ours is compared with.
  std::vector<Case> norms_in_two_passes() const {
    const int rows = count();
    const auto layer = norm_task<LayerNorm<T, false>>();
    const auto rms = norm_task<RmsNorm<T, false>>();
    return {
        norm_case("layer norm, 16 bytes", true, false, [=] { launch_in_two_passes(layer, rows); }),
        norm_case("RMS norm, 16 bytes", false, false, [=] { launch_in_two_passes(rms, rows); })};
  }

 private:
  template <class Task>
  static void launch_held(const Task& task, int rows) {
    const Team team = team_for(chunks_of_row<T>(task.cols), held_chunks<Task>);
    team.warps == 0 ? launch_in_two_passes(task, rows) : launch_in_registers(task, rows, team);
  }
  int count() const { return static_cast<int>(data_->rows); }
  int cols() const { return static_cast<int>(data_->cols); }

  template <class Exp>
  Softmax<T, Exp> softmax_task() const {
    return {cols(), {data_->x}, data_->y};
  }
  Case of_y(const std::string& name, int matrices, std::function<void()> launch, double floor,
            std::function<Doubles(std::size_t)> expected,
            double tolerance = tolerance_of<T>) const {
    const auto data = data_;
    return {name,
            matrices,
            [=] { data->y.poison(); },
            std::move(launch),
            [=] {
              return largest_error<T>(static_cast<const T*>(data->y), data->rows, data->cols, floor,
                                      expected);
            },
            tolerance};
  }
  Case softmax(const std::string& name, std::function<void()> launch) const {
    const auto data = data_;
    return of_y(name, 2, std::move(launch), 1e-30,
                [=](std::size_t i) { return softmax_of(data->row_of(data->host_x, i)); });
  }
  Case log_softmax() const {
    const auto data = data_;
    const LogSoftmax<T> task = {cols(), {data->x}, data->y};
    const int rows = count();
    return of_y(
        "log-softmax", 2, [=] { launch_rows(task, rows); }, 1,
        [=](std::size_t i) { return log_softmax_of(data->row_of(data->host_x, i)); });
  }
  Case cross_entropy() const {
    const auto data = data_;
    const float scale = 1 / static_cast<float>(data->rows);
    const CrossEntropy<T> task = {cols(), {data->x}, data->targets, data->losses, data->y, scale};
    const int rows = count();
    Case made = of_y(
        "cross-entropy", 2, [=] { launch_rows(task, rows); }, 1e-30,
        [=](std::size_t i) {
          Doubles dx = softmax_of(data->row_of(data->host_x, i));
          dx[data->host_targets[i]] -= 1;
          for (double& value : dx) value *= scale;
          return dx;
        });
    made.poison = [=] { data->y.poison(), data->losses.poison(); };
    made.error = [=, of_gradient = made.error] {
      const std::vector<float> losses = data->losses.to_host();
      double largest = of_gradient();
      for (const std::size_t i : rows_to_check(data->rows)) {
        const double right = -log_softmax_of(data->row_of(data->host_x, i))[data->host_targets[i]];
        largest = std::max(largest, error_of(losses[i], right, 1));
      }
      return largest;
    };
    return made;
  }

  template <class Task>
  Task norm_task() const {
    Task task;
    task.cols = cols();
    task.in[0] = data_->x;
    if constexpr (Task::inputs == 2) task.in[1] = data_->second;
    task.y = data_->y;
    task.sum = data_->sum;
    task.gamma = data_->gamma;
    task.beta = data_->beta;
    task.epsilon = epsilon;
    return task;
  }
  /// The sum of input and residual, as T holds it.
  static Doubles sum_of(const Data<T>& data, std::size_t row) {
    Doubles sum = data.row_of(data.host_x, row);
    const Doubles residual = data.row_of(data.host_second, row);
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sum[j] = as_double(as_number<T>(static_cast<float>(sum[j] + residual[j])));
    }
    return sum;
  }
  Case norm_case(const std::string& name, bool has_mean, bool with_residual,
                 std::function<void()> launch) const {
    const auto data = data_;
    const auto input = [=](std::size_t i) {
      return with_residual ? sum_of(*data, i) : data->row_of(data->host_x, i);
    };
    Case made = of_y(name, with_residual ? 4 : 2, std::move(launch), 1, [=](std::size_t i) {
      return norm_of(input(i), has_mean, epsilon, data->row_of(data->host_gamma, 0),
                     data->row_of(data->host_beta, 0));
    });
    if (with_residual) {
      made.poison = [=] { data->y.poison(), data->sum.poison(); };
      made.error = [=, of_y = made.error] {
        return std::max(of_y(), largest_error<T>(static_cast<const T*>(data->sum), data->rows,
                                                 data->cols, 1, input));
      };
    }
    return made;
  }
  template <class Task>
  Case norm(const std::string& name, bool has_mean, bool with_residual) const {
    const auto task = norm_task<Task>();
    const int rows = count();
    return norm_case(name, has_mean, with_residual, [=] { launch_rows(task, rows); });
  }

  /// The gradients; in place of a softmax's result there is x, since any numbers will do.
  std::vector<Case> gradients() const {
    const auto data = data_;
    const int rows = count();
    const SoftmaxBackward<T, false> softmax = {cols(), {data->x, data->second}, data->y};
    const SoftmaxBackward<T, true> logarithm = {cols(), {data->x, data->second}, data->y};
    const NormBackward<T, true> layer = {
        cols(), {data->x, data->second}, data->gamma, data->y, epsilon};
    const NormBackward<T, false> rms = {
        cols(), {data->x, data->second}, data->gamma, data->y, epsilon};
    const auto of_softmax = [=](bool of_logarithm) {
      return [=](std::size_t i) {
        return softmax_backward_of(data->row_of(data->host_x, i),
                                   data->row_of(data->host_second, i), of_logarithm);
      };
    };
    const auto of_norm = [=](bool has_mean) {
      return [=](std::size_t i) {
        return norm_backward_of(data->row_of(data->host_x, i), data->row_of(data->host_second, i),
                                has_mean, epsilon, data->row_of(data->host_gamma, 0));
      };
    };
    // Sums of products of both signs: their errors are relative to what they are sums of.
    const auto wide = static_cast<double>(data->cols);
    return {
        of_y(
            "softmax, backward", 3, [=] { launch_rows(softmax, rows); }, wide, of_softmax(false)),
        of_y(
            "log-softmax, backward", 3, [=] { launch_rows(logarithm, rows); }, wide,
            of_softmax(true)),
        of_y(
            "layer norm, backward", 3, [=] { launch_rows(layer, rows); }, 1, of_norm(true)),
        of_y(
            "RMS norm, backward", 3, [=] { launch_rows(rms, rows); }, 1, of_norm(false))};
  }

  std::shared_ptr<Data<T>> data_;
};

}  // namespace rows
