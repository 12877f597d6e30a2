#include "libraries/cutensor/objects.hpp"

#include <algorithm>

#include "libraries/common/device_work.hpp"

namespace emulator::cutensor {
namespace {

struct ElementType {
  cudaDataType_t type;
  const char* name;
  const char* plural;
  std::size_t bytes;
};

constexpr ElementType element_types[] = {
    {CUDA_R_16F, "CUDA_R_16F", "halves", 2},
    {CUDA_R_16BF, "CUDA_R_16BF", "bfloat16s", 2},
    {CUDA_R_32F, "CUDA_R_32F", "floats", 4},
    {CUDA_R_64F, "CUDA_R_64F", "doubles", 8},
    {CUDA_C_32F, "CUDA_C_32F", "complex floats", 8},
    {CUDA_C_64F, "CUDA_C_64F", "complex doubles", 16},
};

const ElementType* find_type(cudaDataType_t type) {
  for (const ElementType& known : element_types) {
    if (known.type == type) return &known;
  }
  return nullptr;
}

}  // namespace

double Tensor::size() const {
  double size = 1;
  for (const std::int64_t extent : extents) size *= static_cast<double>(extent);
  return size;
}

std::uint64_t Tensor::span() const {
  std::uint64_t span = 1;
  for (std::size_t i = 0; i < modes(); ++i) {
    std::uint64_t distance = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(extents[i] - 1),
                               static_cast<std::uint64_t>(strides[i]), &distance) ||
        __builtin_add_overflow(span, distance, &span)) {
      return libraries::too_many;
    }
  }
  return span;
}

int Operand::find(std::int32_t mode) const {
  const auto found = std::find(modes.begin(), modes.end(), mode);
  return found == modes.end() ? -1 : static_cast<int>(found - modes.begin());
}

bool is_element(cudaDataType_t type) {
  return find_type(type) != nullptr;
}
bool is_complex(cudaDataType_t type) {
  return type == CUDA_C_32F || type == CUDA_C_64F;
}
std::size_t bytes_of(cudaDataType_t type) {
  const ElementType* known = find_type(type);
  return known == nullptr ? 1 : known->bytes;
}
const char* plural(cudaDataType_t type) {
  const ElementType* known = find_type(type);
  return known == nullptr ? "elements" : known->plural;
}
std::string name_of(cudaDataType_t type) {
  const ElementType* known = find_type(type);
  return known == nullptr ? "cudaDataType_t " + std::to_string(static_cast<int>(type))
                          : known->name;
}

std::string name_of_mode(std::int32_t mode) {
  const bool is_letter = mode > ' ' && mode < 127;
  return is_letter ? std::string("'") + static_cast<char>(mode) + "'" : std::to_string(mode);
}

}  // namespace emulator::cutensor
