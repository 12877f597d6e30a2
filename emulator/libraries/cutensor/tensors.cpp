/// \file
/// cuTENSOR's descriptors of tensors: what they may say.

#include "libraries/cutensor/call.hpp"
#include "libraries/cutensor/element_operators.hpp"

using namespace emulator::cutensor;

cutensorStatus_t cutensorCreateTensorDescriptor(cutensorHandle_t handle,
                                                cutensorTensorDescriptor_t* desc,
                                                std::uint32_t numModes, const std::int64_t extent[],
                                                const std::int64_t stride[],
                                                cudaDataType_t dataType,
                                                std::uint32_t alignmentRequirement) {
  TensorCall call("cutensorCreateTensorDescriptor", handle);
  call.not_null({{"desc", desc}});
  if (numModes > 0) call.not_null({{"extent", extent}});
  if (call.ok() && !is_element(dataType)) {
    call.not_supported("dataType is " + std::to_string(static_cast<int>(dataType)) +
                       ", elements that the emulator does not compute with");
  }
  if (alignmentRequirement == 0 || (alignmentRequirement & (alignmentRequirement - 1)) != 0) {
    call.invalid("alignmentRequirement is " + std::to_string(alignmentRequirement) +
                 ", no power of two");
  }
  if (!call.ok()) return call.status();
  Tensor tensor{{}, {}, dataType, alignmentRequirement};
  std::int64_t packed = 1;
  for (std::uint32_t i = 0; i < numModes; ++i) {
    if (extent[i] <= 0) {
      call.invalid("extent[" + std::to_string(i) + "] is " + std::to_string(extent[i]) +
                   ", but must be at least 1");
    } else if (stride != nullptr && stride[i] <= 0) {
      call.invalid("stride[" + std::to_string(i) + "] is " + std::to_string(stride[i]) +
                   ", but must be at least 1");
    }
    if (!call.ok()) return call.status();
    tensor.extents.push_back(extent[i]);
    tensor.strides.push_back(stride == nullptr ? packed : stride[i]);
    if (stride == nullptr && __builtin_mul_overflow(packed, extent[i], &packed)) {
      call.invalid("the extents are those of more elements than any memory holds");
    }
  }
  if (call.ok()) *desc = LiveTensors::get().add(std::move(tensor));
  return call.status();
}

cutensorStatus_t cutensorDestroyTensorDescriptor(cutensorTensorDescriptor_t desc) {
  const TensorCall call("cutensorDestroyTensorDescriptor");
  return LiveTensors::get().destroy(desc);
}
