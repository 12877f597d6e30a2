// The checks of exercise 17b. The functions under test are in modes.cu.

#include <array>
#include <limits>

#include "checks/exercise.hpp"
#include "cutensor.hpp"

void launch_channels_last(cutensorHandle_t handle, const float* in, float* out, float scale,
                          int images, int channels, int height, int width);
void launch_mix(cutensorHandle_t handle, const float* weights, const float* in, float* out,
                int images, int channels, int outputs, int pixels);
void launch_sums(cutensorHandle_t handle, const float* in, float* out, int images, int channels,
                 int pixels);

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

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

/// Small whole numbers, in row-major order.
struct Numbers {
  std::vector<std::size_t> extents;
  std::vector<float> values;

  Numbers(std::vector<std::size_t> all_extents, std::uint64_t seed)
      : extents(std::move(all_extents)) {
    std::size_t count = 1;
    for (const std::size_t extent : extents) count *= extent;
    values = course::exact_vector(count, 1U << 16, seed);
  }

  template <class... Indices>
  double at(Indices... indices) const {
    std::size_t place = 0;
    std::size_t k = 0;
    ((place = place * extents[k++] + indices), ...);
    return double{values[place]};
  }
};

using Mistakes = std::vector<exercise::Mistake>;

/// Calls the function with the numbers and a place for the results, and compares.
template <class Launch>
void check(const Launch& launch, const std::vector<double>& right, std::size_t columns,
           const std::string& where, const Mistakes& mistakes) {
  exercise::Array<float> out(right.size());
  // Library calls are not kernels of ours, so none is expected to be seen.
  exercise::run([&] { launch(out.data()); }, exercise::Kernels::in_a_library, where);
  exercise::expect_exact(out.to_host(), right, right.size() / columns, columns,
                         "rows along the last mode, " + where, mistakes);
  exercise::expect_intact(out.intact(), "out", where);
}

const std::string exchanged = "The library compares extents and cannot know which mode you mean.";

/// What channels last become by mistake. `in` has the modes nchw.
Mistakes wrong_channels_last(const Numbers& in, double scale) {
  const auto [N, C, H, W] = std::array{in.extents[0], in.extents[1], in.extents[2], in.extents[3]};
  std::vector<double> turned(in.values.size());
  std::vector<double> first_fastest(in.values.size());
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t c = 0; c < C; ++c) {
      for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t w = 0; w < W; ++w) {
          if (H == W) turned[((n * H + w) * W + h) * C + c] = scale * in.at(n, c, h, w);
          first_fastest[n + N * (h + H * (w + W * c))] =
              scale * double{in.values[n + N * (c + C * (h + H * w))]};
        }
      }
    }
  }
  return {{turned, "height and width are exchanged in each image. " + exchanged},
          {first_fastest,
           "both tensors were described as if their first mode had stride 1. Here the last one "
           "has: C++ stores arrays row by row."},
          {std::vector<double>(in.values.size()),
           "everything was multiplied by 0. The library sees only the factor's address, and reads "
           "there what the compute type demands: a float."}};
}

/// What a mix becomes by mistake. `weights` has the modes oc, `in` ncp.
Mistakes wrong_mix(const Numbers& weights, const Numbers& in) {
  const auto [N, C, P] = std::array{in.extents[0], in.extents[1], in.extents[2]};
  const std::size_t O = weights.extents[0];
  std::vector<double> transposed(N * O * P);
  std::vector<double> added(N * O * P, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t o = 0; o < O; ++o) {
    for (std::size_t p = 0; p < P; ++p) {
      double of_all = 0;
      for (std::size_t n = 0; n < N; ++n) {
        for (std::size_t c = 0; c < C; ++c) {
          of_all += weights.at(o, c) * in.at(n, c, p);
          if (O == C) transposed[(n * O + o) * P + p] += weights.at(c, o) * in.at(n, c, p);
        }
      }
      added[o * P + p] = of_all;
    }
  }
  return {{transposed, "the transpose of the weights was used. " + exchanged},
          {added,
           "the images were added up, and only the place of the first image was written: a mode of "
           "the inputs that the output does not have is summed over."}};
}

void check_channels_last(cutensorHandle_t handle, float scale, int images, int channels, int height,
                         int width) {
  const Numbers in({size(images), size(channels), size(height), size(width)}, 1);
  std::vector<double> right;
  for (std::size_t n = 0; n < size(images); ++n) {
    for (std::size_t h = 0; h < size(height); ++h) {
      for (std::size_t w = 0; w < size(width); ++w) {
        for (std::size_t c = 0; c < size(channels); ++c) {
          right.push_back(double{scale} * in.at(n, c, h, w));
        }
      }
    }
  }
  const exercise::Array<float> device(in.values);
  check(
      [&](float* out) {
        launch_channels_last(handle, device.data(), out, scale, images, channels, height, width);
      },
      right, size(channels),
      "images = " + std::to_string(images) + ", channels = " + std::to_string(channels) +
          ", height = " + std::to_string(height) + ", width = " + std::to_string(width) +
          ", scale = " + std::to_string(scale),
      wrong_channels_last(in, double{scale}));
}

void check_mix(cutensorHandle_t handle, int images, int channels, int outputs, int pixels) {
  const Numbers weights({size(outputs), size(channels)}, 2);
  const Numbers in({size(images), size(channels), size(pixels)}, 3);
  std::vector<double> right;
  for (std::size_t n = 0; n < size(images); ++n) {
    for (std::size_t o = 0; o < size(outputs); ++o) {
      for (std::size_t p = 0; p < size(pixels); ++p) {
        double sum = 0;
        for (std::size_t c = 0; c < size(channels); ++c) sum += weights.at(o, c) * in.at(n, c, p);
        right.push_back(sum);
      }
    }
  }
  const exercise::Array<float> device_weights(weights.values);
  const exercise::Array<float> device(in.values);
  check(
      [&](float* out) {
        launch_mix(handle, device_weights.data(), device.data(), out, images, channels, outputs,
                   pixels);
      },
      right, size(pixels),
      "images = " + std::to_string(images) + ", channels = " + std::to_string(channels) +
          ", outputs = " + std::to_string(outputs) + ", pixels = " + std::to_string(pixels),
      wrong_mix(weights, in));
}

void check_sums(cutensorHandle_t handle, int images, int channels, int pixels) {
  const Numbers in({size(images), size(channels), size(pixels)}, 4);
  std::vector<double> right;
  std::vector<double> of_pixels;  // over the channels, where there are as many as pixels
  for (std::size_t n = 0; n < size(images); ++n) {
    for (std::size_t c = 0; c < size(channels); ++c) {
      double sum = 0;
      for (std::size_t p = 0; p < size(pixels); ++p) sum += in.at(n, c, p);
      right.push_back(sum);
    }
    for (std::size_t p = 0; channels == pixels && p < size(pixels); ++p) {
      double sum = 0;
      for (std::size_t c = 0; c < size(channels); ++c) sum += in.at(n, c, p);
      of_pixels.push_back(sum);
    }
  }
  const Mistakes mistakes = {
      {of_pixels, "the sums run over the channels of a pixel: the output has a mode for pixels. " +
                      exchanged}};
  const exercise::Array<float> device(in.values);
  check([&](float* out) { launch_sums(handle, device.data(), out, images, channels, pixels); },
        right, size(channels),
        "images = " + std::to_string(images) + ", channels = " + std::to_string(channels) +
            ", pixels = " + std::to_string(pixels),
        mistakes);
}

/// Whether a call without a handle ends in an exception.
template <class Launch>
bool reports(const Launch& launch) {
  const exercise::Array<float> in(std::vector<float>(4, 1.0F));
  exercise::Array<float> out(4);
  return exercise::ends_in_an_exception([&] { launch(in.data(), out.data()); });
}

}  // namespace

TEST_CASE("correct: channels last where images are squares") {
  const Handle handle;
  for (const int side : {1, 2, 5, 16}) {
    check_channels_last(handle, 1, 1, 3, side, side);
    check_channels_last(handle, 0.5F, 2, 3, side, side);
    check_channels_last(handle, 2, side, side, side, side);
  }
}

TEST_CASE("correct: channels last of any extents") {
  const Handle handle;
  for (const auto& [images, channels, height, width] :
       {std::array{1, 3, 4, 5}, std::array{2, 5, 4, 3}, std::array{3, 1, 7, 2},
        std::array{4, 33, 1, 6}, std::array{5, 2, 31, 1}, std::array{1, 4, 17, 9},
        std::array{2, 3, exercise::drawn(8, 6, 20), exercise::drawn(11, 6, 20)}}) {
    check_channels_last(handle, 1, images, channels, height, width);
    check_channels_last(handle, -0.25F, images, channels, height, width);
  }
}

TEST_CASE("correct: mixing the channels of one image") {
  const Handle handle;
  for (const auto& [channels, outputs, pixels] :
       {std::array{1, 1, 1}, std::array{3, 3, 20}, std::array{4, 2, 9}, std::array{2, 7, 33},
        std::array{33, 5, 4}, std::array{6, 6, 6}}) {
    check_mix(handle, 1, channels, outputs, pixels);
  }
}

TEST_CASE("correct: mixing the channels of many images") {
  const Handle handle;
  for (const auto& [images, channels, outputs, pixels] :
       {std::array{2, 3, 3, 20}, std::array{5, 4, 2, 9}, std::array{3, 2, 7, 33},
        std::array{4, 33, 5, 4}, std::array{6, 6, 6, 6}}) {
    check_mix(handle, images, channels, outputs, pixels);
  }
}

TEST_CASE("correct: a sum for each channel") {
  const Handle handle;
  for (const auto& [images, channels, pixels] :
       {std::array{1, 1, 1}, std::array{1, 4, 4}, std::array{2, 3, 50}, std::array{7, 2, 1},
        std::array{3, 33, 5}, std::array{5, 1, 257}}) {
    check_sums(handle, images, channels, pixels);
  }
}

TEST_CASE("safe: what fails is reported") {
  {
    const Handle handle;
    check_channels_last(handle, 2, 2, 3, 4, 5);
    check_mix(handle, 2, 3, 4, 5);
    check_sums(handle, 2, 3, 4);
    exercise::expect_no_findings();
  }
  // No handle: every call returns CUTENSOR_STATUS_INVALID_VALUE and does nothing.
  std::string silent;
  if (!reports([](const float* in, float* out) {
        launch_channels_last(nullptr, in, out, 1, 1, 1, 2, 2);
      })) {
    silent += " launch_channels_last()";
  }
  if (!reports([](const float* in, float* out) { launch_mix(nullptr, in, in, out, 1, 2, 2, 2); })) {
    silent += " launch_mix()";
  }
  if (!reports([](const float* in, float* out) { launch_sums(nullptr, in, out, 1, 2, 2); })) {
    silent += " launch_sums()";
  }
  if (silent.empty()) return;
  FAIL(std::string(
      "given nullptr in place of a handle, this returned as if all were well:" + silent +
      "\nEvery call of the library returns a status: hand it to CUDA_CHECK()."));
}
