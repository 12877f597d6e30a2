// Chapter 27: softmax, its logarithm with cross-entropy, layer norm and RMS norm of the rows of a
// matrix. First softmax, from three reads of a row to one; then the others, by the same kernels.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson rows.cu -o
// rows

#include "cases.hpp"

namespace rows {

// The largest errors of the best kernels, compared with doubles, over widths.
template <class T>
void note_errors(course::Report& report) {
  const std::vector<std::pair<std::size_t, std::string>> widths = {
      {1024, "1,024"}, {8192, "8,192"}, {32768, "32,768"}, {131072, "131,072"}};
  for (const auto& [cols, width] : widths) {
    const Cases<T> cases(std::make_shared<Data<T>>(2, cols, 3));
    std::vector<Case> ours = {cases.softmax_rungs().back()};
    for (Case& norm : cases.norms()) {
      if (norm.matrices == 2) ours.push_back(std::move(norm));
    }
    std::string line = std::string(sizeof(T) == 4 ? "FP32, " : "BF16, ") + width +
                       " columns, largest relative error:";
    for (const Case& one : ours) {
      one.launch();
      char text[80];
      std::snprintf(text, sizeof text, " %s %.1e;",
                    one.name == "ours" ? "softmax" : one.name.c_str(), one.error());
      line += text;
    }
    line.pop_back();
    report.note(line);
  }
}

template <class T>
int run(const course::Options& options, bool errors) {
  const std::size_t elements = options.rows * options.cols;
  const auto matrix = static_cast<double>(elements * sizeof(T));
  course::require_memory(options, 4.5 * matrix, 4.5 * matrix);
  course::Report report(options, course::CeilingKind::copy);
  const auto data = std::make_shared<Data<T>>(options.rows, options.cols, options.seed);
  const Cases<T> cases(data);
  for (const auto& some : {cases.softmax_rungs(), cases.others()}) {
    for (const Case& one : some) {
      const course::Timing timing = TIME_EVENTS(options, one.poison(), one.launch());
      report.check(one.name, "normal numbers", one.verify());
      report.add(one.name, timing, {one.matrices * matrix, 0});
    }
  }
  if (errors) {
    note_errors<float>(report);
    note_errors<Bf16>(report);
  }
  return report.finish();
}

}  // namespace rows

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "27_rows";
  defaults.description = "Softmax, cross-entropy and norms of a matrix's rows, in BF16 or FP32.";
  defaults.on_gpu = {32768, 4096};
  defaults.on_emulator = {32, 4096};
  defaults.emulator = course::on_emulator;
  defaults.choose_data = false;
  bool fp32 = false;
  defaults.add("--fp32", &fp32, "floats instead of BF16");
  bool errors = false;
  defaults.add("--errors", &errors, "also the errors over widths, compared with doubles");
  const course::Options options = course::parse_options(argc, argv, defaults);
  return fp32 ? rows::run<float>(options, errors) : rows::run<rows::Bf16>(options, errors);
} catch (const std::exception& error) {
  return course::report_failure(error);
}
