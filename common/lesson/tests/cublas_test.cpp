#include "cublas.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("a call of cuBLAS that fails tells what, where and why") {
  std::string message;
  try {
    CUDA_CHECK(cublasDestroy(nullptr));
  } catch (const course::Error& error) {
    message = error.what();
  }
  const std::string reason = cublasGetStatusString(CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(message == "cublasDestroy(nullptr) at cublas_test.cpp:10: CUBLAS_STATUS_NOT_INITIALIZED (" +
                       reason + ")");
  CHECK_FALSE(reason.empty());
}

TEST_CASE("a call of cuBLAS that succeeds tells nothing") {
  int version = 0;
  CHECK_NOTHROW(CUDA_CHECK(cublasGetVersion(nullptr, &version)));
  CHECK(version >= 130000);
}
