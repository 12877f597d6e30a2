/// \file
/// What programs may expect of cuBLAS, the emulator's or NVIDIA's: this file compiles against both.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "libraries/cublas/cublas_test.hpp"

using namespace cublas_test;

TEST_CASE("cublas: its version, and the names of its statuses") {
  int version = 0;
  CHECK(cublasGetVersion(nullptr, &version) == success);
  CHECK(version / 10000 == 13);
  CHECK(cublasGetVersion(nullptr, nullptr) == invalid);
  int part = 0;
  CHECK(cublasGetProperty(MAJOR_VERSION, &part) == success);
  CHECK(part == 13);
  CHECK(cublasGetProperty(MINOR_VERSION, &part) == success);
  CHECK(part == version / 100 % 100);
  CHECK(cublasGetProperty(PATCH_LEVEL, nullptr) == invalid);
  CHECK(cublasGetProperty(static_cast<libraryPropertyType>(3), &part) == invalid);

  CHECK(std::string(cublasGetStatusName(success)) == "CUBLAS_STATUS_SUCCESS");
  CHECK(std::string(cublasGetStatusName(mapping_error)) == "CUBLAS_STATUS_MAPPING_ERROR");
  CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_LICENSE_ERROR)) ==
        "CUBLAS_STATUS_LICENSE_ERROR");
  CHECK(std::strlen(cublasGetStatusString(CUBLAS_STATUS_EXECUTION_FAILED)) > 0);
  const auto unknown = static_cast<cublasStatus_t>(2);
  CHECK(std::string(cublasGetStatusName(unknown)) == "unrecognized status");
  CHECK(std::string(cublasGetStatusString(unknown)) == "unrecognized status");
}

TEST_CASE("cublas: nothing goes without a handle") {
  float number = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers{};
  cublasAtomicsMode_t atomics{};
  cublasMath_t math{};
  CHECK(cublasCreate(nullptr) == invalid);
  CHECK(cublasDestroy(nullptr) == no_handle);
  CHECK(cublasSetStream(nullptr, nullptr) == no_handle);
  CHECK(cublasGetStream(nullptr, &stream) == no_handle);
  CHECK(cublasSetWorkspace(nullptr, nullptr, 0) == no_handle);
  CHECK(cublasSetPointerMode(nullptr, CUBLAS_POINTER_MODE_HOST) == no_handle);
  CHECK(cublasGetPointerMode(nullptr, &pointers) == no_handle);
  CHECK(cublasSetAtomicsMode(nullptr, CUBLAS_ATOMICS_ALLOWED) == no_handle);
  CHECK(cublasGetAtomicsMode(nullptr, &atomics) == no_handle);
  CHECK(cublasSetMathMode(nullptr, CUBLAS_DEFAULT_MATH) == no_handle);
  CHECK(cublasGetMathMode(nullptr, &math) == no_handle);
  CHECK(cublasSgemv(nullptr, op_n, 1, 1, &one, &number, 1, &number, 1, &one, &number, 1) ==
        no_handle);
  CHECK(cublasSgemm(nullptr, op_n, op_n, -1, 0, 0, &one, &number, 1, &number, 1, &one, &number,
                    1) == no_handle);
  CHECK(cublasSgeam(nullptr, op_n, op_n, -1, 0, &one, &number, 1, &one, &number, 1, &number, 1) ==
        no_handle);
}

TEST_CASE("cublas: a handle remembers its modes and its stream") {
  const Handle handle;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_DEVICE;
  CHECK(cublasGetPointerMode(handle, &pointers) == success);
  CHECK(pointers == CUBLAS_POINTER_MODE_HOST);
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == success);
  CHECK(cublasGetPointerMode(handle, &pointers) == success);
  CHECK(pointers == CUBLAS_POINTER_MODE_DEVICE);

  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_ALLOWED;
  CHECK(cublasGetAtomicsMode(handle, &atomics) == success);
  CHECK(atomics == CUBLAS_ATOMICS_NOT_ALLOWED);
  CHECK(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED) == success);
  CHECK(cublasGetAtomicsMode(handle, &atomics) == success);
  CHECK(atomics == CUBLAS_ATOMICS_ALLOWED);

  cublasEmulationStrategy_t strategy = CUBLAS_EMULATION_STRATEGY_EAGER;
  CHECK(cublasGetEmulationStrategy(handle, &strategy) == success);
  CHECK(strategy == CUBLAS_EMULATION_STRATEGY_DEFAULT);
  CHECK(cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_PERFORMANT) == success);
  CHECK(cublasGetEmulationStrategy(handle, &strategy) == success);
  CHECK(strategy == CUBLAS_EMULATION_STRATEGY_PERFORMANT);

  cublasMath_t math = CUBLAS_PEDANTIC_MATH;
  CHECK(cublasGetMathMode(handle, &math) == success);
  CHECK(math == CUBLAS_DEFAULT_MATH);
  CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH) == success);
  CHECK(cublasGetMathMode(handle, &math) == success);
  CHECK(math == CUBLAS_TF32_TENSOR_OP_MATH);

  cudaStream_t stream = nullptr;
  cudaStream_t told = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasGetStream(handle, &told) == success);
  CHECK(told == nullptr);
  CHECK(cublasSetStream(handle, stream) == success);
  CHECK(cublasGetStream(handle, &told) == success);
  CHECK(told == stream);
  CHECK(cublasSetStream(handle, nullptr) == success);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cublasSetWorkspace(handle, nullptr, 0) == success);
}

TEST_CASE("cublas: how many multiprocessors it may use") {
  const Handle handle;
  int target = -1;
  CHECK(cublasGetSmCountTarget(handle, &target) == success);
  CHECK(target == 0);
  CHECK(cublasSetSmCountTarget(handle, 1) == success);
  CHECK(cublasGetSmCountTarget(handle, &target) == success);
  CHECK(target == 1);
  CHECK(cublasSetSmCountTarget(handle, -1) == invalid);
  CHECK(cublasSetSmCountTarget(nullptr, 1) == no_handle);
  CHECK(cublasGetSmCountTarget(nullptr, &target) == no_handle);
}

namespace {

std::string all_messages;

void keep_message(const char* message) {
  all_messages += message;
}

}  // namespace

TEST_CASE("cublas: its log, in a file and by a callback") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4});
  const auto multiply = [&] {
    CHECK(cublasSgemm(handle, op_n, op_t, 2, 1, 2, &one, a.get(), 2, a.get(), 1, &zero, a.get(),
                      2) == success);
  };
  const auto file =
      std::filesystem::temp_directory_path() / ("cublas_log_" + std::to_string(std::rand()));
  CHECK(cublasLoggerConfigure(1, 0, 0, file.c_str()) == success);
  multiply();
  CHECK(cublasLoggerConfigure(0, 0, 0, nullptr) == success);
  CHECK(cublasSscal(handle, 4, &one, a.get(), 1) == success);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  CHECK(text.str().find("cublasSgemm") != std::string::npos);
  CHECK(text.str().find("cublasSscal") == std::string::npos);
  std::filesystem::remove(file);

  cublasLogCallback told = keep_message;
  CHECK(cublasGetLoggerCallback(&told) == success);
  CHECK((told == nullptr));
  CHECK(cublasSetLoggerCallback(keep_message) == success);
  CHECK(cublasGetLoggerCallback(&told) == success);
  CHECK((told == keep_message));
  multiply();
  CHECK(all_messages.find("cublasSgemm") != std::string::npos);
  CHECK(cublasSetLoggerCallback(nullptr) == success);
  CHECK(cublasLoggerConfigure(0, 0, 0, nullptr) == success);
  all_messages.clear();
  multiply();
  CHECK(all_messages.empty());
}

TEST_CASE("cublas: values of modes that are none") {
  const Handle handle;
  CHECK(cublasSetPointerMode(handle, static_cast<cublasPointerMode_t>(2)) == invalid);
  CHECK(cublasSetAtomicsMode(handle, static_cast<cublasAtomicsMode_t>(2)) == invalid);
  CHECK(cublasGetStream(handle, nullptr) == invalid);
  CHECK(cublasGetPointerMode(handle, nullptr) == invalid);
  CHECK(cublasGetAtomicsMode(handle, nullptr) == invalid);
  CHECK(cublasGetMathMode(handle, nullptr) == invalid);
}

TEST_CASE("cublas: vectors travel, with increments") {
  const Numbers x = {1, 2, 3, 4, 5, 6};
  const OnDevice y(Numbers(6, -1));
  CHECK(cublasSetVector(3, 4, x.data(), 2, y.get(), 1) == success);
  CHECK(y.numbers() == Numbers{1, 3, 5, -1, -1, -1});
  CHECK(cublasSetVector_64(2, 4, x.data(), 1, y.get() + 1, 4) == success);
  CHECK(y.numbers() == Numbers{1, 1, 5, -1, -1, 2});
  Numbers back(6, 9);
  CHECK(cublasGetVector(2, 4, y.get(), 5, back.data(), 2) == success);
  CHECK(back == Numbers{1, 9, 2, 9, 9, 9});
  CHECK(cublasGetVector_64(2, 8, y.get(), 1, back.data() + 2, 1) == success);
  CHECK(back == Numbers{1, 9, 1, 1, 5, -1});

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasSetVectorAsync(2, 4, x.data() + 2, 3, y.get(), 1, stream) == success);
  CHECK(cublasGetVectorAsync(2, 4, y.get(), 1, back.data(), 1, stream) == success);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(back == Numbers{3, 6, 1, 1, 5, -1});
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);

  CHECK(cublasSetVector(0, 4, x.data(), 1, y.get(), 1) == success);
  CHECK(cublasSetVector(0, 4, nullptr, 1, nullptr, 1) == success);
  CHECK(cublasSetVector(0, 0, x.data(), 1, y.get(), 1) == invalid);
  CHECK(cublasSetVector(1, -4, x.data(), 1, y.get(), 1) == invalid);
  CHECK(cublasSetVector(1, 4, x.data(), 0, y.get(), 1) == invalid);
  CHECK(cublasGetVector(1, 4, y.get(), 1, back.data(), -1) == invalid);
  CHECK(cublasSetVector(-1, 4, x.data(), 1, y.get(), 1) == mapping_error);
  CHECK(cublasSetVector(1, 4, x.data(), 1, nullptr, 1) == mapping_error);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("cublas: matrices travel, with leading dimensions") {
  const Numbers a = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const OnDevice b(Numbers(8, -1));
  CHECK(cublasSetMatrix(2, 2, 4, a.data(), 3, b.get(), 4) == success);
  CHECK(b.numbers() == Numbers{1, 2, -1, -1, 4, 5, -1, -1});
  CHECK(cublasSetMatrix_64(2, 2, 4, a.data() + 4, 2, b.get() + 1, 2) == success);
  CHECK(b.numbers() == Numbers{1, 5, 6, 7, 8, 5, -1, -1});
  Numbers back(6);
  CHECK(cublasGetMatrix(2, 3, 4, b.get(), 2, back.data(), 2) == success);
  CHECK(back == Numbers{1, 5, 6, 7, 8, 5});
  CHECK(cublasGetMatrixAsync(1, 2, 4, b.get() + 2, 2, back.data(), 3, nullptr) == success);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(back == Numbers{6, 5, 6, 8, 8, 5});
  CHECK(b.numbers() == Numbers{1, 5, 6, 7, 8, 5, -1, -1});

  CHECK(cublasSetMatrix(0, 2, 4, a.data(), 1, b.get(), 1) == success);
  CHECK(cublasSetMatrix(2, 0, 4, a.data(), 1, b.get(), 1) == success);
  CHECK(cublasSetMatrix(-1, 2, 4, a.data(), 2, b.get(), 2) == invalid);
  CHECK(cublasSetMatrix(2, -1, 4, a.data(), 2, b.get(), 2) == invalid);
  CHECK(cublasSetMatrix(0, 2, 0, a.data(), 1, b.get(), 1) == invalid);
  CHECK(cublasSetMatrix(0, 2, 4, a.data(), 0, b.get(), 1) == invalid);
  CHECK(cublasGetMatrix(2, 2, 4, b.get(), 2, back.data(), -2) == invalid);
  CHECK(cublasSetMatrix(2, 2, 4, a.data(), 1, b.get(), 2) == mapping_error);
  CHECK(cublasGetMatrix(2, 2, 4, b.get(), 2, back.data(), 1) == mapping_error);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("cublas: sgemv, with a padded matrix, plain and transposed") {
  const Handle handle;
  // 2 x 3, columns 4 apart; what is between is not looked at.
  const OnDevice a({1, 2, no_number, no_number, 3, 4, no_number, no_number, 5, 6});
  const OnDevice x({1, 10, 100});
  const OnDevice y({1, 2, 3});
  CHECK(cublasSgemv(handle, op_n, 2, 3, &one, a.get(), 4, x.get(), 1, &one, y.get(), 1) == success);
  CHECK(y.numbers() == Numbers{532, 644, 3});
  CHECK(cublasSgemv(handle, op_t, 2, 3, &two, a.get(), 4, x.get(), 1, &zero, y.get(), 1) ==
        success);
  CHECK(y.numbers() == Numbers{42, 86, 130});
  CHECK(cublasSgemv_64(handle, op_c, 2, 3, &one, a.get(), 4, x.get(), 1, &three, y.get(), 1) ==
        success);
  CHECK(y.numbers() == Numbers{147, 301, 455});
}

TEST_CASE("cublas: sgemv, for a matrix stored row by row, is the transposed product") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4, 5, 6});  // rows 1 2 3 and 4 5 6
  const OnDevice x({1, 10, 100});
  const OnDevice y({0, 0});
  CHECK(cublasSgemv(handle, op_t, 3, 2, &one, a.get(), 3, x.get(), 1, &zero, y.get(), 1) ==
        success);
  CHECK(y.numbers() == Numbers{321, 654});
}

TEST_CASE("cublas: sgemv, with increments of either sign") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4, 5, 6});
  const OnDevice x({1, no_number, 10, no_number, 100});
  const OnDevice y({7, 1, 7, 2});
  CHECK(cublasSgemv(handle, op_n, 2, 3, &one, a.get(), 2, x.get(), 2, &one, y.get() + 1, 2) ==
        success);
  CHECK(y.numbers() == Numbers{7, 532, 7, 644});
  CHECK(cublasSgemv(handle, op_n, 2, 3, &one, a.get(), 2, x.get(), -2, &zero, y.get(), 3) ==
        success);
  CHECK(y.numbers() == Numbers{135, 532, 7, 246});
  CHECK(cublasSgemv(handle, op_n, 2, 3, &one, a.get(), 2, x.get(), 2, &zero, y.get(), -3) ==
        success);
  CHECK(y.numbers() == Numbers{642, 532, 7, 531});
}

TEST_CASE("cublas: sgemv reads only what has a factor") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4});
  const OnDevice x({1, 10});
  const OnDevice y({no_number, no_number});
  const OnDevice unusable(Numbers(4, no_number));
  CHECK(cublasSgemv(handle, op_n, 2, 2, &one, a.get(), 2, x.get(), 1, &zero, y.get(), 1) ==
        success);
  CHECK(y.numbers() == Numbers{31, 42});
  CHECK(cublasSgemv(handle, op_n, 2, 2, &zero, unusable.get(), 2, unusable.get(), 1, &two, y.get(),
                    1) == success);
  CHECK(y.numbers() == Numbers{62, 84});
  CHECK(cublasSgemv(handle, op_t, 2, 2, &zero, unusable.get(), 2, unusable.get(), 1, &zero,
                    unusable.get() + 2, 1) == success);
  CHECK(unusable.numbers()[2] == 0);
  CHECK(unusable.numbers()[3] == 0);
}

TEST_CASE("cublas: factors may lie on the device") {
  const Handle handle;
  const OnDevice factors({2, 3});
  const OnDevice a({1, 2, 3, 4});
  const OnDevice x({1, 10});
  const OnDevice y({1, 1});
  const OnDevice c(Numbers(4));
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == success);
  CHECK(cublasSgemv(handle, op_n, 2, 2, factors.get(), a.get(), 2, x.get(), 1, factors.get() + 1,
                    y.get(), 1) == success);
  CHECK(y.numbers() == Numbers{65, 87});
  CHECK(cublasSgemm(handle, op_n, op_n, 2, 2, 2, factors.get(), a.get(), 2, a.get(), 2,
                    factors.get(), c.get(), 2) == success);
  CHECK(c.numbers() == Numbers{14, 20, 30, 44});
  CHECK(cublasSgeam(handle, op_n, op_t, 2, 2, factors.get(), a.get(), 2, factors.get() + 1, a.get(),
                    2, c.get(), 2) == success);
  CHECK(c.numbers() == Numbers{5, 13, 12, 20});
}

TEST_CASE("cublas: work in a stream") {
  const Handle handle;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cublasSetStream(handle, stream) == success);
  const OnDevice a({1, 2, 3, 4});
  const OnDevice y({0, 0});
  CHECK(cublasSgemv(handle, op_n, 2, 2, &one, a.get(), 2, a.get(), 1, &zero, y.get(), 1) ==
        success);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(y.numbers() == Numbers{7, 10});
  CHECK(cublasSetStream(handle, nullptr) == success);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("cublas: sgemv refuses a leading dimension below the rows, and takes empty shapes") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4});
  float* const d = a.get();
  CHECK(cublasSgemv(handle, op_n, 2, 2, &one, d, 1, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, 0, 2, &one, d, 1, d, 1, &one, d, 1) == success);
  CHECK(cublasSgemv(handle, op_n, 2, 0, &one, d, 2, d, 1, &zero, d, 1) == success);
  CHECK(a.numbers() == Numbers{1, 2, 3, 4});
}

TEST_CASE("cublas: a conjugate without a transposition is no operation") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4});
  float* const d = a.get();
  CHECK(cublasSgemm(handle, CUBLAS_OP_CONJG, op_n, 1, 1, 1, &one, d, 1, d, 1, &one, d + 1, 1) ==
        invalid);
}
