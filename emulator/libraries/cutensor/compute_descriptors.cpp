#include "libraries/cutensor/compute_descriptors.hpp"

#include <algorithm>
#include <iterator>

namespace {

using emulator::cutensor::Precision;

constexpr cutensorComputeDescriptor compute_descriptors[] = {
    {Precision::r16},         {Precision::b16}, {Precision::tf32},
    {Precision::tf32_thrice}, {Precision::r32}, {Precision::r64},
    {Precision::r32},         {Precision::r64}, {Precision::r32, false},
};

// The type of pointers to them is not const. Nobody writes there.
constexpr cutensorComputeDescriptor_t descriptor(int i) {
  return const_cast<cutensorComputeDescriptor_t>(&compute_descriptors[i]);
}

}  // namespace

// NOLINTBEGIN(misc-misplaced-const): they are declared so
extern "C" {
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_16F = descriptor(0);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_16BF = descriptor(1);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_TF32 = descriptor(2);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_3XTF32 = descriptor(3);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_32F = descriptor(4);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_64F = descriptor(5);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_9X16BF = descriptor(6);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_8XINT8 = descriptor(7);
const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_4X16F = descriptor(8);
}
// NOLINTEND(misc-misplaced-const)

const cutensorComputeDescriptor* emulator::cutensor::known_descriptor(
    cutensorComputeDescriptor_t descriptor) {
  const auto* const found =
      std::find_if(std::begin(compute_descriptors), std::end(compute_descriptors),
                   [&](const cutensorComputeDescriptor& known) { return &known == descriptor; });
  return found == std::end(compute_descriptors) ? nullptr : found;
}
