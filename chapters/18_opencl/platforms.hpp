// What OpenCL finds on this machine. A *platform* is an implementation of OpenCL, such as NVIDIA's
// or PoCL; it brings one or more *devices*. One program can use several platforms.
#pragma once

// Every implementation has OpenCL 1.2.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS  // a call that fails throws a cl::Error
#include <CL/opencl.hpp>
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace opencl {

struct PlatformDevice {
  cl::Platform platform;
  cl::Device device;

  std::string platform_name() const { return platform.getInfo<CL_PLATFORM_NAME>(); }
  std::string device_name() const { return device.getInfo<CL_DEVICE_NAME>(); }
  bool is_cpu() const { return device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU; }
  bool is_gpu() const { return device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_GPU; }
  int compute_units() const {
    return static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  }
};

// Every device of every platform. With no platform at all the call fails (-1001, from the library
// that looks for them); a platform without a device also fails. Here neither is an error.
inline std::vector<PlatformDevice> all_devices() {
  std::vector<PlatformDevice> places;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return places;
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;
    }
    for (const cl::Device& device : devices) places.push_back({platform, device});
  }
  return places;
}

// "0  NVIDIA CUDA: NVIDIA H200 (GPU, 132 compute units, OpenCL 3.0 CUDA)"
inline std::string list_of(const std::vector<PlatformDevice>& places) {
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PlatformDevice& place = places[i];
    text += std::to_string(i) + "  " + place.platform_name() + ": " + place.device_name() + " (" +
            (place.is_cpu()   ? "CPU"
             : place.is_gpu() ? "GPU"
                              : "other") +
            ", " + std::to_string(place.compute_units()) + " compute units, " +
            place.device.getInfo<CL_DEVICE_VERSION>() + ")\n";
  }
  return text;
}

// The device that `wanted` names: by its number in the list, or by a part of its name, ignoring
// case. If nothing is named: a GPU if there is one, preferably NVIDIA's.
inline std::optional<PlatformDevice> choose(const std::vector<PlatformDevice>& places,
                                            const std::string& wanted) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  const auto first = [&](auto fits) {
    const auto found = std::find_if(places.begin(), places.end(), fits);
    return found == places.end() ? std::optional<PlatformDevice>() : *found;
  };
  if (wanted.empty()) {
    auto place = first([&](const PlatformDevice& one) {
      return one.is_gpu() && one.platform_name().find("NVIDIA") != std::string::npos;
    });
    if (!place) place = first([](const PlatformDevice& one) { return one.is_gpu(); });
    if (!place) place = first([](const PlatformDevice&) { return true; });
    return place;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (wanted == std::to_string(i)) return places[i];
  }
  return first([&](const PlatformDevice& one) {
    return lower(one.platform_name() + ": " + one.device_name()).find(lower(wanted)) !=
           std::string::npos;
  });
}

}  // namespace opencl
