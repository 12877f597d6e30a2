/// \file
/// The attributes of cuTENSOR's operations.

#include <algorithm>
#include <cstring>
#include <vector>

#include "libraries/cutensor/call.hpp"
#include "libraries/cutensor/element_operators.hpp"

namespace emulator::cutensor {
namespace {

// How many operations an execution takes, and how many bytes it moves at least.
float operations_of(const Operation& operation) {
  if (!operation.is_contraction()) {
    double size = 1;
    for (const Operand& operand : operation.operands) size = std::max(size, operand.tensor.size());
    return static_cast<float>(size);
  }
  double size = 1;
  std::vector<std::int32_t> seen;
  for (const Operand& operand : operation.operands) {
    for (std::size_t i = 0; i < operand.modes.size(); ++i) {
      if (std::find(seen.begin(), seen.end(), operand.modes[i]) != seen.end()) continue;
      seen.push_back(operand.modes[i]);
      size *= static_cast<double>(operand.tensor.extents[i]);
    }
  }
  const double each = is_complex(operation.output().tensor.type) ? 8 : 2;
  return static_cast<float>(each * size);
}

float bytes_moved(const Operation& operation) {
  double bytes = 0;
  for (const Operand& operand : operation.operands) {
    bytes += operand.tensor.size() * static_cast<double>(bytes_of(operand.tensor.type));
  }
  return static_cast<float>(bytes);
}

// Whether the buffer has the size that its content has.
template <class T>
bool fits(TensorCall& call, const char* what, const void* buffer, std::size_t size) {
  call.not_null({{"buf", buffer}});
  if (call.ok() && size != sizeof(T)) {
    call.invalid("sizeInBytes is " + std::to_string(size) + ", " + what + " takes " +
                 std::to_string(sizeof(T)));
  }
  return call.ok();
}

template <class T>
void get(TensorCall& call, const char* what, const T& value, void* buffer, std::size_t size) {
  if (fits<T>(call, what, buffer, size)) std::memcpy(buffer, &value, sizeof(T));
}

}  // namespace
}  // namespace emulator::cutensor

using namespace emulator::cutensor;

cutensorStatus_t cutensorOperationDescriptorSetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t desc,
    cutensorOperationDescriptorAttribute_t attr, const void* buf, std::size_t size) {
  TensorCall call("cutensorOperationDescriptorSetAttribute", handle);
  const auto operation = call.object<LiveOperations>("desc", desc);
  if (!call.ok()) return call.status();
  switch (attr) {
    case CUTENSOR_OPERATION_DESCRIPTOR_TAG:
      if (fits<std::int32_t>(call, "the tag", buf, size)) {
        std::memcpy(&operation->tag, buf, size);
      }
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE:
      if (fits<cudaDataType_t>(call, "the scalar type", buf, size)) {
        cudaDataType_t type{};
        std::memcpy(&type, buf, sizeof(type));
        if (type != operation->scalar) {
          call.not_supported("the scalars of this operation are " + name_of(operation->scalar) +
                             ", and not " + name_of(type));
        }
      }
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_FLOPS:
    case CUTENSOR_OPERATION_DESCRIPTOR_MOVED_BYTES:
      call.invalid("this attribute is not to be set");
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_PADDING_LEFT:
    case CUTENSOR_OPERATION_DESCRIPTOR_PADDING_RIGHT:
    case CUTENSOR_OPERATION_DESCRIPTOR_PADDING_VALUE:
    case CUTENSOR_OPERATION_DESCRIPTOR_BLOCKSPARSE_REPRODUCIBLE:
      call.not_supported("padding and blocks are not modelled");
      break;
    default:
      call.invalid("attr is " + std::to_string(static_cast<int>(attr)) + ", no attribute");
  }
  return call.status();
}

cutensorStatus_t cutensorOperationDescriptorGetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t desc,
    cutensorOperationDescriptorAttribute_t attr, void* buf, std::size_t size) {
  TensorCall call("cutensorOperationDescriptorGetAttribute", handle);
  const auto operation = call.object<LiveOperations>("desc", desc);
  if (!call.ok()) return call.status();
  switch (attr) {
    case CUTENSOR_OPERATION_DESCRIPTOR_TAG:
      get(call, "the tag", operation->tag, buf, size);
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE:
      get(call, "the scalar type", operation->scalar, buf, size);
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_FLOPS:
      get(call, "the number of operations", operations_of(*operation), buf, size);
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_MOVED_BYTES:
      get(call, "the number of bytes", bytes_moved(*operation), buf, size);
      break;
    case CUTENSOR_OPERATION_DESCRIPTOR_PADDING_LEFT:
    case CUTENSOR_OPERATION_DESCRIPTOR_PADDING_RIGHT:
    case CUTENSOR_OPERATION_DESCRIPTOR_PADDING_VALUE:
    case CUTENSOR_OPERATION_DESCRIPTOR_BLOCKSPARSE_REPRODUCIBLE:
      call.not_supported("padding and blocks are not modelled");
      break;
    default:
      call.invalid("attr is " + std::to_string(static_cast<int>(attr)) + ", no attribute");
  }
  return call.status();
}
