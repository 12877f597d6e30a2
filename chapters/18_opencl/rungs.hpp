// The kernels of kernels.cl, ready to be launched on a device, and timed by its own clock.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "course.hpp"
#include "program.hpp"

namespace opencl {

// The macros that the host defines when it builds kernels.cl.
struct BuildOptions {
  int sub_size = 32;
  int wpt = 8;
};

// A kernel, the extents of its work-groups, and how much of C a work-group computes.
struct Rung {
  std::string name;
  const char* kernel;
  int group_x, group_y;
  int cols, rows;
};

inline std::vector<Rung> rungs(const BuildOptions& defines) {
  const int sub = defines.sub_size;
  return {{"naive", "gemm_naive", 16, 16, 16, 16},
          {"sub-matrix", "gemm_sub_matrix", sub, sub, sub, sub},
          {"work per item", "gemm_work_per_item", sub, sub / defines.wpt, sub, sub},
          {"8 x 8", "gemm_8x8", 16, 16, 128, 128}};
}

// C = A B in the memory of an OpenCL device.
struct Matrices {
  cl::Buffer A, B, C;
  int m, n, k;
};

// How many floats gemm_8x8 may move at once: four, if every row begins at a multiple of 16 bytes.
inline int width_of(std::size_t n, std::size_t k) {
  return n % 4 == 0 && k % 4 == 0 ? 4 : 1;
}

class OpenClProducts {
 public:
  OpenClProducts(const PlatformDevice& place, const BuildOptions& defines, std::string path)
      : place_(place),
        defines_(defines),
        path_(std::move(path)),
        context_(place.device),
        queue_(context_, place.device, CL_QUEUE_PROFILING_ENABLE) {
    require_room();
  }

  const PlatformDevice& place() const { return place_; }

  // A buffer must not be empty: an empty matrix gets a buffer of one element.
  Matrices make(const float* A, const float* B, int m, int n, int k) {
    const auto buffer = [&](cl_mem_flags flags, int rows, int cols, const float* values) {
      const std::size_t bytes = course::at(rows, 0, cols) * sizeof(float);
      cl::Buffer made(context_, flags, std::max(bytes, sizeof(float)));
      if (values != nullptr && bytes > 0) {
        queue_.enqueueWriteBuffer(made, CL_TRUE, 0, bytes, values);
      }
      return made;
    };
    Matrices all{buffer(CL_MEM_READ_ONLY, m, k, A),
                 buffer(CL_MEM_READ_ONLY, k, n, B),
                 buffer(CL_MEM_WRITE_ONLY, m, n, nullptr),
                 m,
                 n,
                 k};
    poison(all);
    return all;
  }

  // Until a kernel writes an element of C, it cannot pass for a result.
  void poison(const Matrices& all) {
    const std::size_t bytes = course::at(all.m, 0, all.n) * sizeof(float);
    if (bytes > 0) queue_.enqueueFillBuffer(all.C, course::poison_bits, 0, bytes);
    queue_.finish();
  }

  std::vector<float> to_host(const Matrices& all) {
    std::vector<float> C(course::at(all.m, 0, all.n));
    if (!C.empty()) {
      queue_.enqueueReadBuffer(all.C, CL_TRUE, 0, C.size() * sizeof(float), C.data());
    }
    return C;
  }

  cl::CommandQueue& queue() { return queue_; }

  // The program with kernels that move this many floats at a time.
  const cl::Program& program(int width) {
    const auto found = programs_.find(width);
    if (found != programs_.end()) return found->second;
    const std::string options = "-cl-std=CL1.2 -D SUB_SIZE=" + std::to_string(defines_.sub_size) +
                                " -D WPT=" + std::to_string(defines_.wpt) +
                                " -D WIDTH=" + std::to_string(width);
    return programs_.emplace(width, build(context_, place_.device, path_, options)).first->second;
  }

  cl::Kernel& kernel(const Rung& rung, int width) {
    const auto key = std::pair(std::string(rung.kernel), width);
    const auto found = kernels_.find(key);
    if (found != kernels_.end()) return found->second;
    return kernels_.emplace(key, cl::Kernel(program(width), rung.kernel)).first->second;
  }

 private:
  // The device itself reports how many work-items and how much local memory a group may have.
  void require_room() const {
    for (const Rung& rung : rungs(defines_)) {
      const auto items = static_cast<std::size_t>(rung.group_x) * rung.group_y;
      const auto most = place_.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
      if (items > most) {
        throw course::UsageError(rung.name + ": a work-group of " + std::to_string(rung.group_x) +
                                 " x " + std::to_string(rung.group_y) + " work-items, and " +
                                 place_.device_name() + " takes " + std::to_string(most) +
                                 " at most: choose another --sub-size");
      }
    }
    const auto local = 2 * sizeof(float) * defines_.sub_size * defines_.sub_size;
    const auto most = place_.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    if (local > most) {
      throw course::UsageError("sub-matrix: " + std::to_string(local) +
                               " bytes of local memory, and " + place_.device_name() + " has " +
                               std::to_string(most) + ": choose another --sub-size");
    }
  }

  PlatformDevice place_;
  BuildOptions defines_;
  std::string path_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::map<int, cl::Program> programs_;                        // by WIDTH
  std::map<std::pair<std::string, int>, cl::Kernel> kernels_;  // by name and WIDTH
};

// Launches a kernel. A launch goes into the queue, like a CUDA launch into a stream; its event has
// the times of its beginning and end. OpenCL counts work-items where CUDA counts blocks.
inline cl::Event launch(OpenClProducts& products, const Rung& rung, const Matrices& all) {
  cl::Event event;
  if (all.m == 0 || all.n == 0) return event;
  cl::Kernel& kernel = products.kernel(rung, width_of(all.n, all.k));
  kernel.setArg(0, all.A);
  kernel.setArg(1, all.B);
  kernel.setArg(2, all.C);
  kernel.setArg(3, all.m);
  kernel.setArg(4, all.n);
  kernel.setArg(5, all.k);
  const auto items = [](int extent, int a_group, int its_items) {
    return static_cast<cl::size_type>((extent - 1) / a_group + 1) *
           static_cast<cl::size_type>(its_items);
  };
  const cl::NDRange all_items(items(all.n, rung.cols, rung.group_x),
                              items(all.m, rung.rows, rung.group_y));
  const cl::NDRange a_group(static_cast<cl::size_type>(rung.group_x),
                            static_cast<cl::size_type>(rung.group_y));
  products.queue().enqueueNDRangeKernel(kernel, cl::NullRange, all_items, a_group, nullptr, &event);
  return event;
}

// The device records when a kernel begins and ends: like CUDA's events in a stream, but without the
// time between the event and the kernel. A CPU gets fewer samples.
inline course::Timing device_times(OpenClProducts& products, const course::Options& options,
                                   const Rung& rung, const Matrices& all) {
  const bool cpu = products.place().is_cpu();
  const int samples = cpu ? 5 : std::max(options.repeat, course::least_samples);
  std::vector<double> milliseconds;
  for (int i = cpu ? -1 : -course::warm_up_launches; i < samples; ++i) {
    products.poison(all);
    const cl::Event event = launch(products, rung, all);
    event.wait();
    const auto begin = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const auto end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    if (i >= 0) milliseconds.push_back(static_cast<double>(end - begin) / 1e6);  // from ns
  }
  return course::summarise(milliseconds);
}

}  // namespace opencl
