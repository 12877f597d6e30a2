// Chapter 30: several GPUs in one process. What a hop costs; products and a stencil by rows, with
// copies behind the computing; all-reduce by a ring of copies, and in one kernel per device by
// flags over the link; and a product whose all-reduce hides behind it.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson several_gpus.cu -lcublas -o
//   several_gpus With NCCL:   ... -DCOURSE_NCCL several_gpus.cu -lcublas -lnccl ...
// On the emulator EMULATOR_DEVICES in the environment says how many there are: ./course run 30
// has 2.

#include "parts.hpp"

using namespace gpus;

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "30_several_gpus";
  defaults.description = "Several GPUs: hops, products and a stencil by rows, all-reduce.";
  defaults.on_gpu = {std::size_t{1} << 28, 1};
  defaults.on_emulator = {3000, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  Settings settings;
  defaults.add("--devices", &settings.devices, 1, most_devices, "of the machine's; 0: all");
  defaults.add("--product", &settings.product, 1, 32768, "extent of products and of the plane");
  defaults.add("--from", &settings.from, 1, std::size_t{1} << 30,
               "floats of the smallest all-reduce in the list; each has four times as many");
  const std::vector<std::string> names = {"hops", "reduce", "rows", "stencil", "overlap"};
  defaults.own_options.push_back({"--only", "PART", "hops, reduce, rows, stencil or overlap",
                                  "one part alone", [&](const std::string& name) {
                                    settings.only = name;
                                    return std::find(names.begin(), names.end(), name) !=
                                           names.end();
                                  }});
  course::Options options = course::parse_options(argc, argv, defaults);
  course::device();  // ends the program where there is none
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  if (settings.devices > count) {
    throw course::UsageError("--devices: there " + std::string(count == 1 ? "is 1" : "are ") +
                             (count == 1 ? "" : std::to_string(count)));
  }
  const int devices = settings.devices > 0 ? settings.devices : std::min(count, most_devices);
  if (settings.product < devices) {
    throw course::UsageError("--product: at least as many rows as devices are wanted");
  }
  const auto floats = static_cast<double>(options.rows);
  const double square = static_cast<double>(settings.product) * settings.product;
  course::require_memory(options, 8 * square, std::max(12 * floats, 12 * square) + 4e8);

  const Group group(devices);
  course::Report report(options, course::CeilingKind::copy);
  if (devices == 1) {
    report.note(course::on_emulator
                    ? "One device: nothing goes over a link. With EMULATOR_DEVICES=2 in the "
                      "environment there are two."
                    : "One device: nothing goes over a link. This chapter is about two and more.");
  }
  run_parts(group, options, settings, report);
  return report.finish();
} catch (const course::UsageError& error) {
  std::fprintf(stderr, "30_several_gpus: %s\n", error.what());
  return 2;
} catch (const std::exception& error) {
  return course::report_failure(error);
}
