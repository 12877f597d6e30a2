#pragma once
/// \file
/// A description of an operation in the making: what it may say.

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "libraries/cutensor/call.hpp"
#include "libraries/cutensor/compute_descriptors.hpp"
#include "libraries/cutensor/element_operators.hpp"

namespace emulator::cutensor {

/// An operand as a call is given it.
struct Argument {
  const char* name;
  cutensorTensorDescriptor_t descriptor;
  const std::int32_t* modes;
  cutensorOperator_t op = CUTENSOR_OP_IDENTITY;
};

/// An operation that is being described: what stands against it, in the order in which cuTENSOR
/// looks.
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
    if (!call_.ok()) return;
    check_extents();
    check_output();
  }

  /// The tensor before the output is read where the output is written.
  void output_is_as_input() {
    if (!call_.ok()) return;
    const Operand& input = operation_.operands[operation_.inputs() - 1];
    const Operand& output = operation_.output();
    if (!(input.tensor == output.tensor) || input.modes != output.modes) {
      call_.not_supported(std::string(output.name) +
                          " has another descriptor, or other modes, than " + input.name);
    }
  }

  /// Inputs but the last `but` of them may have only modes that the output has.
  void every_mode_is_in_output() {
    for (std::size_t i = 0; call_.ok() && i < operation_.inputs(); ++i) {
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
    if (!call_.ok()) return;
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
    if (!call_.ok()) return;
    const cutensorComputeDescriptor* const found = known_descriptor(descriptor);
    if (found == nullptr) {
      return call_.invalid("descCompute is not one of CUTENSOR_COMPUTE_DESC_…");
    }
    if (!found->is_there) return call_.not_supported("descCompute is not available on this device");
    operation_.precision = found->precision;
    operation_.scalar = scalar_type(operation_.output().tensor.type, found->precision);
    check_types();
  }

  /// Operators for one element, and for two.
  void operators(std::initializer_list<std::pair<const char*, cutensorOperator_t>> binary) {
    for (std::size_t i = 0; call_.ok() && i < operation_.inputs(); ++i) {
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
    if (call_.ok()) *result_ = LiveOperations::get().add(std::move(operation_));
    return call_.status();
  }

 private:
  void add(const Argument& argument) {
    const auto tensor = call_.object<LiveTensors>((std::string("desc") + argument.name).c_str(),
                                                  argument.descriptor);
    if (!call_.ok()) return;
    Operand operand{argument.name, *tensor, {}, argument.op};
    if (tensor->modes() > 0) {
      call_.not_null({{(std::string("mode") + argument.name).c_str(), argument.modes}});
      if (!call_.ok()) return;
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

  // No two elements of the output may be in the same place.
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

}  // namespace emulator::cutensor
