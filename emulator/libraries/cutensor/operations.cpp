/// \file
/// cuTENSOR's descriptors, of tensors and of operations: what they may say.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

#include "libraries/cutensor/call.hpp"
#include "libraries/cutensor/element_operators.hpp"

// What a value of cutensorComputeDescriptor_t points to.
struct cutensorComputeDescriptor {
  emulator::detail::Precision precision;
  bool is_there = true;  ///< on a device as ours
};

namespace {

using emulator::detail::Precision;

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

namespace emulator::detail {
namespace {

struct Argument {
  const char* name;
  cutensorTensorDescriptor_t descriptor;
  const std::int32_t* modes;
  cutensorOperator_t op = CUTENSOR_OP_IDENTITY;
};

// An operation that is being described.
class NewOperation {
 public:
  NewOperation(const char* function, cutensorHandle_t handle, cutensorOperationDescriptor_t* result,
               Kind kind, std::vector<int> factors)
      : call_(function, handle), result_(result) {
    call_.not_null({{"desc", result}});
    operation_.kind = kind;
    operation_.factors = std::move(factors);
  }

  TensorCall& call() { return call_; }
  Operation& operation() { return operation_; }

  /// Adds the operands, in order, the output at the end.
  void operands(std::initializer_list<Argument> arguments) {
    for (const Argument& argument : arguments) add(argument);
    if (!call_.goes_on()) return;
    check_extents();
    check_output();
  }

  /// The tensor before the output is read where the output is written.
  void output_is_as_input() {
    if (!call_.goes_on()) return;
    const Operand& input = operation_.operands[operation_.inputs() - 1];
    const Operand& output = operation_.output();
    if (!(input.tensor == output.tensor) || input.modes != output.modes) {
      call_.not_supported(std::string(output.name) +
                          " has another descriptor, or other modes, than " + input.name);
    }
  }

  /// Inputs but the last `but` of them may have only modes that the output has.
  void every_mode_is_in_output() {
    for (std::size_t i = 0; call_.goes_on() && i < operation_.inputs(); ++i) {
      const Operand& input = operation_.operands[i];
      for (const std::int32_t mode : input.modes) {
        if (operation_.output().find(mode) >= 0) continue;
        call_.invalid("mode " + name_of_mode(mode) + " of " + input.name + " is none of " +
                      operation_.output().name + "'s");
      }
    }
  }
  /// The output has no mode that none of the first inputs has.
  void output_adds_no_mode(std::size_t inputs) {
    if (!call_.goes_on()) return;
    for (const std::int32_t mode : operation_.output().modes) {
      bool is_known = false;
      for (std::size_t i = 0; i < inputs; ++i) is_known |= operation_.operands[i].find(mode) >= 0;
      if (is_known) continue;
      call_.invalid("mode " + name_of_mode(mode) + " of " + operation_.output().name +
                    " is in no tensor that it could come from");
    }
  }

  void precision(cutensorComputeDescriptor_t descriptor) {
    call_.not_null({{"descCompute", descriptor}});
    if (!call_.goes_on()) return;
    const auto is_this = [&](const cutensorComputeDescriptor& known) {
      return &known == descriptor;
    };
    const auto* found =
        std::find_if(std::begin(compute_descriptors), std::end(compute_descriptors), is_this);
    if (found == std::end(compute_descriptors)) {
      return call_.invalid("descCompute is none of CUTENSOR_COMPUTE_DESC_…");
    }
    if (!found->is_there) return call_.not_supported("descCompute is none that this device has");
    operation_.precision = found->precision;
    operation_.scalar = scalar_type(operation_.output().tensor.type, found->precision);
    check_types();
  }

  /// Operators for one element, and for two.
  void operators(std::initializer_list<std::pair<const char*, cutensorOperator_t>> binary) {
    for (std::size_t i = 0; call_.goes_on() && i < operation_.inputs(); ++i) {
      const Operand& input = operation_.operands[i];
      const bool is_output_too = i + 1 == operation_.inputs() && operation_.is_contraction();
      const bool only_moves =
          input.op == CUTENSOR_OP_IDENTITY ||
          (input.op == CUTENSOR_OP_CONJ && is_complex(input.tensor.type) && !is_output_too);
      const bool is_there =
          only_moves || (!operation_.is_contraction() && !is_complex(input.tensor.type) &&
                         is_unary_operator(input.op));
      if (!is_there) {
        call_.not_supported(std::string("op") + input.name + " is " +
                            std::to_string(static_cast<int>(input.op)) +
                            ", no operator for this tensor in this operation");
      }
    }
    for (const auto& [name, op] : binary) {
      const bool orders = op == CUTENSOR_OP_MAX || op == CUTENSOR_OP_MIN;
      if (op == CUTENSOR_OP_ADD || op == CUTENSOR_OP_MUL || (orders && !output_is_complex())) {
        continue;
      }
      call_.not_supported(std::string(name) + " is " + std::to_string(static_cast<int>(op)) +
                          ", no operator with two of these elements");
    }
  }

  cutensorStatus_t finish() {
    if (call_.goes_on()) *result_ = LiveOperations::get().add(std::move(operation_));
    return call_.status();
  }

 private:
  void add(const Argument& argument) {
    const auto tensor = call_.object<LiveTensors>((std::string("desc") + argument.name).c_str(),
                                                  argument.descriptor);
    if (!call_.goes_on()) return;
    Operand operand{argument.name, *tensor, {}, argument.op};
    if (tensor->modes() > 0) {
      call_.not_null({{(std::string("mode") + argument.name).c_str(), argument.modes}});
      if (!call_.goes_on()) return;
      operand.modes.assign(argument.modes, argument.modes + tensor->modes());
    }
    for (std::size_t i = 0; i < operand.modes.size(); ++i) {
      if (operand.find(operand.modes[i]) == static_cast<int>(i)) continue;
      call_.invalid("mode " + name_of_mode(operand.modes[i]) + " is twice in mode" + operand.name);
    }
    operation_.operands.push_back(std::move(operand));
  }

  void check_extents() {
    const std::vector<Operand>& operands = operation_.operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      for (std::size_t k = 0; k < operands[i].modes.size(); ++k) {
        for (std::size_t j = 0; j < i; ++j) {
          const int other = operands[j].find(operands[i].modes[k]);
          if (other < 0) continue;
          const std::int64_t first = operands[j].tensor.extents[static_cast<std::size_t>(other)];
          const std::int64_t second = operands[i].tensor.extents[k];
          if (first == second) continue;
          call_.invalid("mode " + name_of_mode(operands[i].modes[k]) + " has extent " +
                        std::to_string(first) + " in " + operands[j].name + " and " +
                        std::to_string(second) + " in " + operands[i].name);
        }
      }
    }
  }

  // No two elements of the output may lie in the same place.
  void check_output() {
    const Tensor& tensor = operation_.output().tensor;
    std::vector<std::size_t> order(tensor.modes());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return tensor.strides[a] < tensor.strides[b]; });
    std::int64_t held = 1;
    for (const std::size_t i : order) {
      if (tensor.extents[i] == 1) continue;
      if (tensor.strides[i] < held) {
        return call_.invalid(std::string("elements of ") + operation_.output().name +
                             " lie in the same place: the stride of mode " +
                             name_of_mode(operation_.output().modes[i]) + " is " +
                             std::to_string(tensor.strides[i]));
      }
      if (__builtin_mul_overflow(tensor.strides[i], tensor.extents[i], &held)) return;
    }
  }

  static cudaDataType_t scalar_type(cudaDataType_t output, Precision precision) {
    const bool is_double =
        output == CUDA_R_64F || output == CUDA_C_64F || precision == Precision::r64;
    if (is_complex(output)) return is_double ? CUDA_C_64F : CUDA_C_32F;
    return is_double ? CUDA_R_64F : CUDA_R_32F;
  }

  bool output_is_complex() const { return is_complex(operation_.output().tensor.type); }

  // The combinations of types that cuTENSOR has.
  void check_types() {
    std::vector<cudaDataType_t> types;
    for (const Operand& operand : operation_.operands) types.push_back(operand.tensor.type);
    if (is_combination(types)) return;
    std::string names;
    for (const Operand& operand : operation_.operands) {
      names += std::string(names.empty() ? "" : ", ") + operand.name + " " +
               name_of(operand.tensor.type);
    }
    call_.not_supported("there is no such operation of these types with this descCompute: " +
                        names);
  }

  bool is_combination(const std::vector<cudaDataType_t>& types) const {
    const Precision precision = operation_.precision;
    const cudaDataType_t output = types.back();
    const bool all_alike = std::all_of(types.begin(), types.end(),
                                       [&](cudaDataType_t type) { return type == output; });
    const bool is_double = output == CUDA_R_64F || output == CUDA_C_64F;
    if (operation_.is_contraction()) {
      if (!all_alike) {
        const bool is_mixed =
            types == std::vector{CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F} ||
            types == std::vector{CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUDA_C_64F};
        return is_mixed && precision == Precision::r64;
      }
      if (is_double) return precision == Precision::r64 || precision == Precision::r32;
      if (precision == Precision::r64) return false;
      if (output == CUDA_R_32F) return true;
      if (output == CUDA_C_32F) {
        return precision != Precision::r16 && precision != Precision::b16;
      }
      return precision == Precision::r32;
    }
    if (all_alike) {
      if (is_double) return precision == Precision::r64;
      return precision == Precision::r32 || (output == CUDA_R_16F && precision == Precision::r16) ||
             (output == CUDA_R_16BF && precision == Precision::b16);
    }
    if (operation_.kind == Kind::reduction) return false;
    // Inputs of one type, the output, and what is read where it is written, of another.
    const cudaDataType_t input = types.front();
    const std::size_t narrow = operation_.kind == Kind::permutation ? 1 : types.size() - 2;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (types[i] != (i < narrow ? input : output)) return false;
    }
    const auto is = [&](cudaDataType_t from, cudaDataType_t to, Precision with) {
      return input == from && output == to && precision == with;
    };
    if (is(CUDA_R_32F, CUDA_R_16F, Precision::r32) || is(CUDA_R_64F, CUDA_R_32F, Precision::r64) ||
        is(CUDA_C_64F, CUDA_C_32F, Precision::r64)) {
      return true;
    }
    return operation_.kind == Kind::permutation && (is(CUDA_R_16F, CUDA_R_32F, Precision::r32) ||
                                                    is(CUDA_R_32F, CUDA_R_64F, Precision::r64) ||
                                                    is(CUDA_C_32F, CUDA_C_64F, Precision::r64));
  }

  TensorCall call_;
  cutensorOperationDescriptor_t* result_;
  Operation operation_;
};

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
  if (call.goes_on() && size != sizeof(T)) {
    call.invalid("sizeInBytes is " + std::to_string(size) + ", " + what + " takes " +
                 std::to_string(sizeof(T)));
  }
  return call.goes_on();
}

template <class T>
void get(TensorCall& call, const char* what, const T& value, void* buffer, std::size_t size) {
  if (fits<T>(call, what, buffer, size)) std::memcpy(buffer, &value, sizeof(T));
}

}  // namespace
}  // namespace emulator::detail

using namespace emulator::detail;

cutensorStatus_t cutensorCreateTensorDescriptor(cutensorHandle_t handle,
                                                cutensorTensorDescriptor_t* desc,
                                                std::uint32_t numModes, const std::int64_t extent[],
                                                const std::int64_t stride[],
                                                cudaDataType_t dataType,
                                                std::uint32_t alignmentRequirement) {
  TensorCall call("cutensorCreateTensorDescriptor", handle);
  call.not_null({{"desc", desc}});
  if (numModes > 0) call.not_null({{"extent", extent}});
  if (call.goes_on() && !is_element(dataType)) {
    call.not_supported("dataType is " + std::to_string(static_cast<int>(dataType)) +
                       ", elements that the emulator does not compute with");
  }
  if (alignmentRequirement == 0 || (alignmentRequirement & (alignmentRequirement - 1)) != 0) {
    call.invalid("alignmentRequirement is " + std::to_string(alignmentRequirement) +
                 ", no power of two");
  }
  if (!call.goes_on()) return call.status();
  Tensor tensor{{}, {}, dataType, alignmentRequirement};
  std::int64_t packed = 1;
  for (std::uint32_t i = 0; i < numModes; ++i) {
    if (extent[i] <= 0) {
      call.invalid("extent[" + std::to_string(i) + "] is " + std::to_string(extent[i]) +
                   ", the least is 1");
    } else if (stride != nullptr && stride[i] <= 0) {
      call.invalid("stride[" + std::to_string(i) + "] is " + std::to_string(stride[i]) +
                   ", the least is 1");
    }
    if (!call.goes_on()) return call.status();
    tensor.extents.push_back(extent[i]);
    tensor.strides.push_back(stride == nullptr ? packed : stride[i]);
    if (stride == nullptr && __builtin_mul_overflow(packed, extent[i], &packed)) {
      call.invalid("the extents are those of more elements than any memory holds");
    }
  }
  if (call.goes_on()) *desc = LiveTensors::get().add(std::move(tensor));
  return call.status();
}

cutensorStatus_t cutensorDestroyTensorDescriptor(cutensorTensorDescriptor_t desc) {
  const TensorCall call("cutensorDestroyTensorDescriptor");
  return LiveTensors::get().destroy(desc);
}

cutensorStatus_t cutensorCreateContraction(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const std::int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const std::int32_t modeB[], cutensorOperator_t opB, cutensorTensorDescriptor_t descC,
    const std::int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const std::int32_t modeD[], cutensorComputeDescriptor_t descCompute) {
  NewOperation made("cutensorCreateContraction", handle, desc, Kind::contraction, {0, 0, 1});
  made.operands({{"A", descA, modeA, opA},
                 {"B", descB, modeB, opB},
                 {"C", descC, modeC, opC},
                 {"D", descD, modeD}});
  made.output_is_as_input();
  made.output_adds_no_mode(2);
  made.precision(descCompute);
  made.operators({});
  return made.finish();
}

cutensorStatus_t cutensorCreateContractionTrinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const std::int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const std::int32_t modeB[], cutensorOperator_t opB, cutensorTensorDescriptor_t descC,
    const std::int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const std::int32_t modeD[], cutensorOperator_t opD, cutensorTensorDescriptor_t descE,
    const std::int32_t modeE[], cutensorComputeDescriptor_t descCompute) {
  NewOperation made("cutensorCreateContractionTrinary", handle, desc, Kind::trinary_contraction,
                    {0, 0, 0, 1});
  made.operands({{"A", descA, modeA, opA},
                 {"B", descB, modeB, opB},
                 {"C", descC, modeC, opC},
                 {"D", descD, modeD, opD},
                 {"E", descE, modeE}});
  made.output_is_as_input();
  made.output_adds_no_mode(3);
  made.precision(descCompute);
  made.operators({});
  return made.finish();
}

cutensorStatus_t cutensorCreateReduction(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const std::int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descC,
    const std::int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const std::int32_t modeD[], cutensorOperator_t opReduce,
    cutensorComputeDescriptor_t descCompute) {
  NewOperation made("cutensorCreateReduction", handle, desc, Kind::reduction, {0, 1});
  made.operands({{"A", descA, modeA, opA}, {"C", descC, modeC, opC}, {"D", descD, modeD}});
  made.output_is_as_input();
  made.output_adds_no_mode(1);
  made.precision(descCompute);
  made.operation().first = opReduce;
  made.operators({{"opReduce", opReduce}});
  return made.finish();
}

cutensorStatus_t cutensorCreatePermutation(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const std::int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const std::int32_t modeB[], cutensorComputeDescriptor_t descCompute) {
  NewOperation made("cutensorCreatePermutation", handle, desc, Kind::permutation, {0});
  made.operands({{"A", descA, modeA, opA}, {"B", descB, modeB}});
  made.every_mode_is_in_output();
  made.precision(descCompute);
  made.operators({});
  return made.finish();
}

cutensorStatus_t cutensorCreateElementwiseBinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const std::int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descC,
    const std::int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const std::int32_t modeD[], cutensorOperator_t opAC, cutensorComputeDescriptor_t descCompute) {
  NewOperation made("cutensorCreateElementwiseBinary", handle, desc, Kind::binary, {0, 1});
  made.operands({{"A", descA, modeA, opA}, {"C", descC, modeC, opC}, {"D", descD, modeD}});
  made.output_is_as_input();
  made.every_mode_is_in_output();
  made.precision(descCompute);
  made.operation().first = opAC;
  made.operators({{"opAC", opAC}});
  return made.finish();
}

cutensorStatus_t cutensorCreateElementwiseTrinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const std::int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const std::int32_t modeB[], cutensorOperator_t opB, cutensorTensorDescriptor_t descC,
    const std::int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const std::int32_t modeD[], cutensorOperator_t opAB, cutensorOperator_t opABC,
    cutensorComputeDescriptor_t descCompute) {
  NewOperation made("cutensorCreateElementwiseTrinary", handle, desc, Kind::trinary, {0, 1, 2});
  made.operands({{"A", descA, modeA, opA},
                 {"B", descB, modeB, opB},
                 {"C", descC, modeC, opC},
                 {"D", descD, modeD}});
  made.output_is_as_input();
  made.every_mode_is_in_output();
  made.precision(descCompute);
  made.operation().first = opAB;
  made.operation().second = opABC;
  made.operators({{"opAB", opAB}, {"opABC", opABC}});
  return made.finish();
}

cutensorStatus_t cutensorDestroyOperationDescriptor(cutensorOperationDescriptor_t desc) {
  const TensorCall call("cutensorDestroyOperationDescriptor");
  return LiveOperations::get().destroy(desc);
}

cutensorStatus_t cutensorOperationDescriptorSetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t desc,
    cutensorOperationDescriptorAttribute_t attr, const void* buf, std::size_t size) {
  TensorCall call("cutensorOperationDescriptorSetAttribute", handle);
  const auto operation = call.object<LiveOperations>("desc", desc);
  if (!call.goes_on()) return call.status();
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
  if (!call.goes_on()) return call.status();
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
