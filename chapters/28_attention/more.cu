// Chapter 28, all together: the forward pass of a transformer's block, of our own kernels only. RMS
// norm from chapter 27, products with their epilogues from chapter 22, attention from this chapter;
// verified against plain loops on the CPU: block.hpp.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson more.cu -o more

#include "block.hpp"
#include "host_numbers.hpp"

namespace attention {

/// Numbers of BF16, and the same as doubles.
struct Numbers {
  std::vector<Bf16> short_numbers;
  std::vector<double> numbers;

  Numbers(int rows_, int cols, std::uint64_t seed, float scale, float offset = 0)
      : short_numbers(course::some_numbers<Bf16>(rows_, cols, seed, scale, offset)) {
    for (const Bf16 x : short_numbers) numbers.push_back(course::as_double(x));
  }
};

/// The error's root mean square, relative to that of what the block adds to x.
inline double block_error(const BlockSizes& s, std::uint64_t seed, const course::Options& options,
                          course::Timing& timing) {
  const int width = s.width(), between = s.between();
  const auto scale = [](int inner) { return 1.0F / std::sqrt(static_cast<float>(inner)); };
  const Numbers first_norm(1, width, seed + 1, 0.1F, 1), second_norm(1, width, seed + 2, 0.1F, 1);
  const Numbers into_heads(width, 3 * width, seed + 3, scale(width));
  const Numbers from_heads(width, width, seed + 4, scale(width));
  const Numbers up(width, between, seed + 5, scale(width));
  const Numbers down(between, width, seed + 6, scale(between));
  const Numbers x(s.tokens, width, seed + 7, 1);
  using Array = course::DeviceArray<Bf16>;
  const Array on_device[] = {Array(first_norm.short_numbers), Array(second_norm.short_numbers),
                             Array(into_heads.short_numbers), Array(from_heads.short_numbers),
                             Array(up.short_numbers),         Array(down.short_numbers)};
  Array d_x(x.short_numbers);
  TransformerBlock block(s);
  timing = TIME_EVENTS(
      options, d_x.copy_from(x.short_numbers),
      block({on_device[0], on_device[1], on_device[2], on_device[3], on_device[4], on_device[5]},
            d_x));
  const std::vector<double> right =
      plain_block(s,
                  {first_norm.numbers, second_norm.numbers, into_heads.numbers, from_heads.numbers,
                   up.numbers, down.numbers},
                  x.numbers);
  const std::vector<Bf16> got = d_x.to_host();
  double off = 0, added = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    off += std::pow(course::as_double(got[i]) - right[i], 2);
    added += std::pow(right[i] - x.numbers[i], 2);
  }
  return std::sqrt(off / added);
}

}  // namespace attention

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "28_attention_more";
  defaults.description = "A transformer's block, from our own kernels. --size: tokens.";
  defaults.matrix = false;
  defaults.on_gpu = {512, 1};
  defaults.on_emulator = {70, 1};
  defaults.emulator = course::on_emulator;
  defaults.choose_data = false;
  attention::BlockSizes sizes{0, course::on_emulator ? 1 : 4};
  defaults.add("--heads", &sizes.heads, 1, 64, "heads of 64 numbers");
  const course::Options options = course::parse_options(argc, argv, defaults);
  if (options.rows > 8192) {
    std::fputs("28_attention_more: --size: at most 8192, since a CPU computes it, too\n", stderr);
    return 2;
  }
  if (!attention::has_wgmma()) {
    std::puts("SKIPPED: wgmma and tensor maps as here need compute capability 9.0");
    return 77;
  }
  sizes.tokens = static_cast<int>(options.rows);
  course::Report report(options, course::CeilingKind::fma);
  course::Timing timing;
  const double error = attention::block_error(sizes, options.seed, options, timing);
  char text[100];
  std::snprintf(text, sizeof text, "error %.1e, allowed 2.0e-02", error);
  report.check("block", "normal numbers", {error <= 2e-2, text});
  const double products = 12.0 * sizes.width() * sizes.width();
  report.add(
      "block", timing,
      {0, 2.0 * sizes.tokens * products + 2.0 * sizes.tokens * sizes.tokens * sizes.width()});
  report.note(std::string("block: ") + text);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
