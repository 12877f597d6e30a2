#pragma once
/// \file
/// What the programs that record products have in common.

#include <cuda_runtime.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "numbers.cuh"

namespace matrices {

inline const char* program_name = "";  ///< for messages; main() sets it

/// Ends the program: its command line, a file or a call of CUDA's is wrong.
[[noreturn]] inline void refuse(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", program_name, what.c_str());
  std::exit(2);
}

inline void check(cudaError_t error) {
  if (error != cudaSuccess) refuse(cudaGetErrorString(error));
}

/// An array that host and device share, zero at first.
template <class T>
class Managed {
 public:
  explicit Managed(std::size_t count) {
    check(cudaMallocManaged(&data_, count * sizeof(T)));
    std::memset(data_, 0, count * sizeof(T));
  }
  ~Managed() { cudaFree(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  T* get() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

/// The last `bits` bits as hexadecimal digits.
inline std::string in_hex(unsigned long long value, int bits) {
  std::string text;
  for (int shift = (bits - 1) / 4 * 4; shift >= 0; shift -= 4) {
    text += "0123456789abcdef"[value >> shift & 0xFU];
  }
  return text;
}

/// The number that an argument is; refused if it is not a number below `below`.
inline unsigned number_in(const char* text, unsigned below, const std::string& complaint) {
  unsigned number = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error != std::errc() || rest != end || number >= below) refuse(complaint);
  return number;
}

/// A number of tiles on the command line: a multiple of 8 up to `most`.
inline unsigned tiles_in(const char* text, unsigned most) {
  const std::string complaint =
      "a number of tiles is a multiple of 8 up to " + std::to_string(most);
  const unsigned tiles = number_in(text, most + 1, complaint);
  if (tiles == 0 || tiles % kinds != 0) refuse(complaint);
  return tiles;
}

/// What a recording begins with: the device, and how many tiles there are of a series at most.
struct RecordingHeader {
  std::string device;
  unsigned tiles = 0;
};

inline void write_head(unsigned tiles) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::printf("device %s\ntiles %u\n", device.name, tiles);
}

inline RecordingHeader read_head(std::ifstream& file, const std::string& path,
                                 unsigned most_tiles) {
  RecordingHeader head;
  std::string word;
  if (!(file >> word) || word != "device" || !std::getline(file >> std::ws, head.device) ||
      !(file >> word >> head.tiles) || word != "tiles" || head.tiles == 0 ||
      head.tiles % kinds != 0 || head.tiles > most_tiles) {
    refuse(path + " is no recording, or cannot be read");
  }
  return head;
}

}  // namespace matrices
