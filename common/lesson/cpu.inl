// The functions of cpu.hpp.
#pragma once

#include <algorithm>
#include <fstream>
#include <thread>

#include "cpu.hpp"

namespace course {

COURSE_ONCE std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

COURSE_ONCE int cpu_threads() {
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

}  // namespace course
