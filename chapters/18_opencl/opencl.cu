// Chapter 18: C = A B in OpenCL C, which the driver compiles while the program runs, next to the
// same kernels in CUDA C++.
//
//   naive           one work-item per element of C
//   sub-matrix      a work-group reads A and B together, sub-matrix by sub-matrix
//   work per item   the same, with several elements of C per work-item, one below the other
//   8 x 8           a work-group has 128 x 128 elements, a work-item 8 x 8 of them in registers
//
// The kernels are in kernels.cl, and again in CUDA in twins.hpp. platforms.hpp finds the devices on
// which OpenCL runs; program.hpp compiles kernels.cl; rungs.hpp launches and times. The CPU's own
// products are chapter 08's.
//
// By hand, in this folder, which also has to be the current one when the program runs:
//   nvcc -std=c++20 -O3 -I ../../common/lesson opencl.cu ../08_gemm_tiling/cpu.cpp -o opencl
//   -lOpenCL

#include "../08_gemm_tiling/cpu.hpp"
#include "course.hpp"
#include "rungs.hpp"
#include "twins.hpp"

#ifndef COURSE_OPENCL_KERNELS
#define COURSE_OPENCL_KERNELS "kernels.cl"
#endif

using course::Data;
using course::GemmProblem;
using course::Timing;
using namespace opencl;  // the contents of this folder's three headers

// The command line's options besides the shape.
struct ProgramOptions {
  std::string platform;
  std::string kernels = COURSE_OPENCL_KERNELS;
  std::string ptx;
  bool list = false;
  std::size_t cpu_size = 512;
  BuildOptions defines;
};

// The twin of each rung, if one was compiled: CUDA needs a tile's extent at compile time.
std::map<std::string, course::GemmLauncher> twins(const BuildOptions& defines) {
  std::map<std::string, course::GemmLauncher> all;
  all["naive"] = twin::launch_naive;
  all["8 x 8"] = twin::launch_8x8;
  if (defines.sub_size == 16) all["sub-matrix"] = twin::launch_sub_matrix<16>;
  if (defines.sub_size == 32) all["sub-matrix"] = twin::launch_sub_matrix<32>;
  if (defines.wpt != 8) return all;
  if (defines.sub_size == 16) all["work per item"] = twin::launch_work_per_item<16, 8>;
  if (defines.sub_size == 32) all["work per item"] = twin::launch_work_per_item<32, 8>;
  return all;
}

GemmProblem problem_of(const course::Options& options, Data data) {
  return course::make_gemm(data, options.rows, options.cols, options.inner, options.seed);
}

Matrices matrices_of(OpenClProducts& products, const GemmProblem& problem) {
  return products.make(problem.A.data(), problem.B.data(), static_cast<int>(problem.m),
                       static_cast<int>(problem.n), static_cast<int>(problem.k));
}

// Every kernel of kernels.cl on small whole numbers, whose results must be right bit for bit.
void verify_opencl(const course::Options& options, course::Report& report, OpenClProducts& products,
                   const BuildOptions& defines) {
  const GemmProblem exact = problem_of(options, Data::exact);
  const Matrices matrices = matrices_of(products, exact);
  for (const Rung& rung : rungs(defines)) {
    products.poison(matrices);
    launch(products, rung, matrices);
    report.check("OpenCL " + rung.name, "exact data",
                 course::verify(products.to_host(matrices), exact));
  }
}

// Then timed, on the chosen data.
std::vector<Timing> time_opencl(const course::Options& options, course::Report& report,
                                OpenClProducts& products, const BuildOptions& defines) {
  const GemmProblem problem = problem_of(options, options.data);
  const Matrices matrices = matrices_of(products, problem);
  std::vector<Timing> timings;
  for (const Rung& rung : rungs(defines)) {
    timings.push_back(device_times(products, options, rung, matrices));
    report.check("OpenCL " + rung.name, "timed data",
                 course::verify(products.to_host(matrices), problem));
  }
  return timings;
}

// Part 1: the host's processor. If it is also OpenCL's device, so are OpenCL's times.
void compare_on_cpu(const course::Options& options, course::Report& report,
                    OpenClProducts& products, const ProgramOptions& program_options) {
  course::Options on_cpu = options;
  on_cpu.rows = on_cpu.cols = on_cpu.inner = program_options.cpu_size;
  course::require_gemm_memory(on_cpu);
  course::verify_and_time(on_cpu, report, cpu_products(course::cpu_threads()));
  if (!products.place().is_cpu()) return;
  verify_opencl(on_cpu, report, products, program_options.defines);
  const std::vector<Timing> timings =
      time_opencl(on_cpu, report, products, program_options.defines);
  const std::vector<Rung> all = rungs(program_options.defines);
  for (std::size_t i = 0; i < all.size(); ++i) {
    report.add_on_cpu(on_cpu, "OpenCL " + all[i].name, products.place().compute_units(), timings[i],
                      course::gemm_work(on_cpu.rows, on_cpu.cols, on_cpu.inner));
  }
}

// Part 2: CUDA's device, and OpenCL next to it if it runs on a GPU. On the emulator a time says
// nothing, so none is shown next to its counts.
void compare_on_gpu(const course::Options& options, course::Report& report,
                    OpenClProducts& products, const BuildOptions& defines) {
  const course::Work work = course::gemm_work(options.rows, options.cols, options.inner);
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  const int k = static_cast<int>(options.inner);
  verify_opencl(options, report, products, defines);
  std::vector<Timing> timings;
  if (!products.place().is_cpu()) timings = time_opencl(options, report, products, defines);

  const auto compiled = twins(defines);
  {
    course::GemmOnDevice exact(options, Data::exact);
    for (const auto& [name, launch] : compiled) {
      exact.C.poison();
      launch(exact.A, exact.B, exact.C, m, n, k);
      report.check("CUDA " + name, "exact data", exact.verify());
    }
  }
  course::GemmOnDevice gemm(options, options.data);
  const std::vector<Rung> all = rungs(defines);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].name;
    if (!timings.empty() && !course::on_emulator) report.add("OpenCL " + name, timings[i], work);
    if (!timings.empty() && course::on_emulator) {
      report.note("OpenCL " + name + ": " + std::to_string(timings[i].median_ms) + " ms");
    }
    if (!compiled.contains(name)) {
      report.note("CUDA " + name + ": not compiled for a SUB_SIZE of " +
                  std::to_string(defines.sub_size) + " and a WPT of " +
                  std::to_string(defines.wpt));
      continue;
    }
    const Timing cuda =
        TIME_EVENTS(options, gemm.C.poison(), compiled.at(name)(gemm.A, gemm.B, gemm.C, m, n, k));
    report.check("CUDA " + name, "timed data", gemm.verify());
    report.add("CUDA " + name, cuda, work);
  }
}

course::Options parse(int argc, char** argv, ProgramOptions& program_options) {
  const auto text = [](std::string& value, const char* name, const char* what, const char* wants,
                       const char* help) {
    return course::Option{name, what, wants, help, [&value](const std::string& given) {
                            value = given;
                            return !given.empty();
                          }};
  };
  return course::parse_gemm_options(
      argc, argv, "18_opencl", "C = A B in OpenCL C and in CUDA C++, kernel by kernel.",
      [&](course::Defaults& defaults) {
        defaults.own_options = {
            text(program_options.platform, "--platform", "NAME", "a number or a name from --list",
                 "where OpenCL runs: a number or a name from --list"),
            text(program_options.kernels, "--kernels", "FILE", "a file name",
                 "OpenCL C in place of kernels.cl"),
            text(program_options.ptx, "--ptx", "FILE", "a file name",
                 "write the PTX that NVIDIA's OpenCL makes")};
        defaults.add("--list", &program_options.list, "list the devices that OpenCL finds");
        defaults.add("--sub-size", &program_options.defines.sub_size, 1, 128,
                     "rows and columns of a sub-matrix");
        defaults.add("--wpt", &program_options.defines.wpt, 1, 128, "elements of C per work-item");
        defaults.add(
            "--carve-out", &twin::carve_out, 0, 100,
            "shared memory for the twins, in per cent of the most; -1: as the driver likes");
        defaults.add("--cpu-size", &program_options.cpu_size, 0, 8192,
                     "m, n and k on the CPU; 0: not at all");
      });
}

static int run(int argc, char** argv) {
  ProgramOptions program_options;
  const course::Options options = parse(argc, argv, program_options);
  const BuildOptions& defines = program_options.defines;
  if (defines.sub_size % defines.wpt != 0) {
    throw course::UsageError("--wpt has to divide --sub-size: " + std::to_string(defines.wpt) +
                             " does not divide " + std::to_string(defines.sub_size));
  }
  course::require_writable("--ptx", program_options.ptx);
  const std::vector<PlatformDevice> places = all_devices();
  if (places.empty()) {
    std::printf(
        "SKIPPED: OpenCL finds no platform: install PoCL (Debian: pocl-opencl-icd), or name a "
        "driver's file by OCL_ICD_VENDORS\n");
    return 77;
  }
  if (program_options.list) {
    std::fputs(list_of(places).c_str(), stdout);
    return 0;
  }
  const std::optional<PlatformDevice> place = choose(places, program_options.platform);
  if (!place) {
    throw course::UsageError("--platform wants a number or a name from --list, got '" +
                             program_options.platform + "'");
  }

  OpenClProducts products(*place, defines, program_options.kernels);
  if (!program_options.ptx.empty()) {
    std::ofstream(program_options.ptx)
        << ptx_of(products.program(width_of(options.cols, options.inner)));
  }
  course::Report report(options, course::CeilingKind::fma);
  if (program_options.cpu_size > 0) compare_on_cpu(options, report, products, program_options);
  compare_on_gpu(options, report, products, defines);
  report.note("OpenCL ran on " + place->platform_name() + ", " + place->device_name());
  return report.finish();
}

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const course::UsageError& error) {
  std::fprintf(stderr, "18_opencl: %s\n", error.what());
  return 2;
} catch (const cl::Error& error) {
  return course::report_failure(std::runtime_error(text_of(error)));
} catch (const std::exception& error) {
  return course::report_failure(error);
}
