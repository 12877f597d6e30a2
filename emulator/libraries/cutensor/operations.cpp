/// \file
/// cuTENSOR's descriptors of operations.

#include "libraries/cutensor/new_operation.hpp"

using namespace emulator::cutensor;

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
