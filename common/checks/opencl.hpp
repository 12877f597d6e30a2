/// @file
/// What the checks of an exercise in OpenCL C are made of, besides exercise.hpp. The student's file
/// is text in the check program; it is compiled for the first device that OpenCL finds.
///
///     TEST_CASE("correct: every element") {
///       if (exercise::no_opencl()) return;
///       exercise::OpenCl opencl("-D GROUP=64");
///       exercise::OpenClArray<float> x(opencl, values);
///       opencl.run("double_it", {64}, {64}, x.buffer(), 64);
///       exercise::expect_exact(x.to_host(), expected, "n = 64");
///     }
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "checks/exercise.hpp"

/// The student's file: cmake/embed_kernels.sh makes it.
extern "C" const char student_kernels[];

namespace course::exercise {

/// The first device of the first platform that has one.
inline std::optional<cl::Device> first_opencl_device() {
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const cl::Platform& platform : platforms) {
      std::vector<cl::Device> devices;
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
      if (!devices.empty()) return devices.front();
    }
  } catch (const cl::Error&) {
    // No platform at all is an error as well.
  }
  return std::nullopt;
}

/// Marks the case as skipped if there is no device; to be followed by a return then.
inline bool no_opencl() {
  if (first_opencl_device()) return false;
  skip("OpenCL finds no platform: install PoCL (Debian: pocl-opencl-icd)");
  return true;
}

/// The student's kernels, compiled for the device.
class OpenCl {
 public:
  /// Fails the case, with the build log, if they do not compile.
  explicit OpenCl(const std::string& options = "")
      : device_(*first_opencl_device()),
        context_(device_),
        queue_(context_, device_),
        program_(context_, student_kernels) {
    try {
      program_.build({device_}, ("-cl-std=CL1.2 " + options).c_str());
    } catch (const cl::Error&) {
      const std::string how = options.empty() ? "" : " with " + options;
      FAIL(detail::exercise_file(), " does not compile", how, ". The build log:\n",
           program_.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_));
    }
  }

  const cl::Context& context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }

  /// Launches a kernel and waits for its end. Fails the case if that is not possible: there is no
  /// such kernel, say, or it has other parameters.
  template <class... Arguments>
  void run(const std::string& name, const cl::NDRange& items, const cl::NDRange& group,
           const Arguments&... arguments) {
    try {
      cl::Kernel kernel(program_, name.c_str());
      cl_uint number = 0;
      (kernel.setArg(number++, arguments), ...);
      queue_.enqueueNDRangeKernel(kernel, cl::NullRange, items, group);
      queue_.finish();
    } catch (const cl::Error& error) {
      FAIL("the kernel ", name, "() cannot be launched: ", std::string(error.what()),
           " failed with error ", error.err(),
           ". Does it have the name and the parameters that were given?");
    }
  }

 private:
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
};

/// An array in the device's memory, its surroundings watched: a part of a larger buffer, which
/// holds NaNs before and after it.
template <class T>
class OpenClArray {
 public:
  OpenClArray(const OpenCl& opencl, const std::vector<T>& values)
      : OpenClArray(opencl, values.size()) {
    if (!values.empty()) {
      queue_.enqueueWriteBuffer(part_, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    }
  }

  /// `count` elements that nothing has written: NaNs, as those around them.
  OpenClArray(const OpenCl& opencl, std::size_t count)
      : queue_(opencl.queue()),
        count_(count),
        whole_(opencl.context(), CL_MEM_READ_WRITE, 2 * guard + room()) {
    const std::vector<unsigned char> bytes(2 * guard + room(), 0xFF);
    queue_.enqueueWriteBuffer(whole_, CL_TRUE, 0, bytes.size(), bytes.data());
    const cl_buffer_region region{guard, room()};
    part_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  }

  const cl::Buffer& buffer() const { return part_; }

  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    if (count_ > 0) {
      queue_.enqueueReadBuffer(part_, CL_TRUE, 0, count_ * sizeof(T), values.data());
    }
    return values;
  }

  /// Whether nothing beside the array was written.
  bool intact() const {
    std::vector<unsigned char> bytes(2 * guard + room());
    queue_.enqueueReadBuffer(whole_, CL_TRUE, 0, bytes.size(), bytes.data());
    const auto untouched = [](unsigned char byte) { return byte == 0xFF; };
    const auto at = [&](std::size_t place) {
      return bytes.begin() + static_cast<std::ptrdiff_t>(place);
    };
    return std::all_of(at(0), at(guard), untouched) &&
           std::all_of(at(guard + count_ * sizeof(T)), bytes.end(), untouched);
  }

 private:
  static constexpr std::size_t guard = 4096;  // a multiple of what every device wants a part to
                                              // begin with
  std::size_t room() const { return std::max<std::size_t>(count_, 1) * sizeof(T); }

  cl::CommandQueue queue_;
  std::size_t count_;
  cl::Buffer whole_;
  cl::Buffer part_;
};

}  // namespace course::exercise
