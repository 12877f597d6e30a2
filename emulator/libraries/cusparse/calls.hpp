#pragma once
/// \file
/// How calls of cuSPARSE's are made: checked, started, and in a captured stream repeated by each
/// launch of the graph, with copies of their descriptors.

#include "libraries/cusparse/work.hpp"

namespace emulator::cusparse {

using namespace libraries;

/// A descriptor as it is now: the program may change or destroy its own before a graph is launched.
template <class T>
struct Copy {
  T value;
  bool lives;

  explicit Copy(const T* descriptor)
      : value(is_live(descriptor) ? *descriptor : T{}), lives(is_live(descriptor)) {}
  const T* operator->() const { return &value; }
  const T& operator*() const { return value; }
};

/// Checks, starts, and does the work now.
template <class Check, class Body>
cusparseStatus_t call_now(const char* function, cusparseHandle_t handle, const Check& check,
                          const Body& body) {
  const QuietErrors quiet;
  Work work(function, handle);
  check(work);
  if (work.starts()) body(work);
  return work.status();
}

/// The same, or a node that does it. Both functions hold what they need by value.
template <class Check, class Body>
cusparseStatus_t call(const char* function, cusparseHandle_t handle, Check check, Body body) {
  return capturable(
      CUSPARSE_STATUS_EXECUTION_FAILED, [&] { return call_now(function, handle, check, body); },
      [&] { return [=] { call_now(function, handle, check, body); }; });
}

/// Only checks, and says how large a buffer is.
template <class Size, class Check>
cusparseStatus_t size_call(const char* function, cusparseHandle_t handle, const Check& check,
                           Size* size, Size bytes = 0) {
  Work work(function, handle);
  check(work);
  work.require(size != nullptr, "the pointer to the buffer's size is null");
  if (work.ok()) *size = bytes;
  return work.status();
}

/// Calls `use` with a 0 of the type, or refuses it.
template <class Use>
void with_type(Work& work, cudaDataType type, Use use) {
  if (!use_type(type, use)) {
    work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type are not modelled");
  }
}

inline bool is_operation(cusparseOperation_t operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ||
         operation == CUSPARSE_OPERATION_TRANSPOSE ||
         operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
inline bool is_turned(cusparseOperation_t operation) {
  return operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
}
/// Real numbers have no conjugates: cuSPARSE refuses to take them, though it would change nothing.
inline void check_conjugates(Work& work, const char* name, cusparseOperation_t operation,
                             cudaDataType type) {
  work.require(operation != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ||
                   (type != CUDA_R_32F && type != CUDA_R_64F),
               std::string(name) + " is of real numbers, which have no conjugates");
}
template <class T>
T with_operation(T value, cusparseOperation_t operation) {
  return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugated(value) : value;
}

inline std::int64_t index_bytes(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I ? 4 : 8;
}
/// One matrix of a batch. A single one stands for all.
template <class T>
cusparseDnMatDescr of_batch(const cusparseDnMatDescr& m, int i) {
  cusparseDnMatDescr one = m;
  if (m.batch_count > 1) one.values = static_cast<T*>(m.values) + i * m.distance;
  return one;
}
template <class T>
cusparseSpMatDescr of_batch(const cusparseSpMatDescr& m, int i) {
  cusparseSpMatDescr one = m;
  if (m.batch_count > 1) {
    one.outer = static_cast<char*>(m.outer) + i * m.outer_distance * index_bytes(m.outer_type);
    one.inner = static_cast<char*>(m.inner) + i * m.inner_distance * index_bytes(m.inner_type);
    one.values = static_cast<T*>(m.values) + i * m.inner_distance;
  }
  return one;
}
/// The result is a batch if a factor is one.
inline void check_batches(Work& work, int of_a, int of_b, int of_c) {
  work.require((of_a == 1 || of_a == of_c) && (of_b == 1 || of_b == of_c),
               "matA and matB have batches of " + std::to_string(of_a) + " and " +
                   std::to_string(of_b) + " matrices, matC of " + std::to_string(of_c));
}

}  // namespace emulator::cusparse
