/// \file
/// What only the emulator's cuBLAS promises of each call: its messages, and what the checks find.

#include <cublasLt.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "emulator/findings.h"
#include "libraries/cublas/messages_test.hpp"
#include "libraries/cublas/typed_test.hpp"
#include "tests/support/host_test.hpp"

using namespace cublas_test;

namespace {

const double factor = 1;
const double* const f = &factor;

}  // namespace

TEST_CASE("cublas: an argument that makes no sense is told") {
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDgemm(handle, op_n, op_n, 2, 1, 1, f, d, 1, d, 1, f, d, 2);
        }) == "emulator: cublasDgemm: lda is 1, but must be at least 2\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDsbmv_64(handle, upper, 1, -1, f, d, 1, d, 1, f, d, 1);
        }) == "emulator: cublasDsbmv: k is -1, but must be at least 0\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDgemv(handle, static_cast<cublasOperation_t>(9), 1, 1, f, d, 1, d, 1, f, d, 1);
        }) == "emulator: cublasDgemv: trans is 9, no cublasOperation_t for this function\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDtrsv(handle, CUBLAS_FILL_MODE_FULL, op_n, unit, 1, d, 1, d, 1);
        }) == "emulator: cublasDtrsv: uplo is 2, no cublasFillMode_t for this function\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDger(handle, 1, 1, f, d, 1, d, 0, d, 1);
        }) == "emulator: cublasDger: incy is 0\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDaxpy(handle, 1, nullptr, d, 1, d, 1);
        }) == "emulator: cublasDaxpy: alpha is a null pointer\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDtrmm(handle, left, upper, op_n, unit, 1, 2, f, d, 1, d, 1, d, 2);
        }) == "emulator: cublasDtrmm: C may be B only with one leading dimension\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDtrsm_64(handle, left, upper, op_n, unit, 1, std::int64_t{1} << 40, f, d, 1, d, 1);
        }) == "emulator: cublasDtrsm: sizes above 536870912 are not modelled here\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasGemmEx(handle, op_n, op_n, 1, 1, 1, f, d, CUDA_R_8I, 4, d, CUDA_R_8I, 4, f, d,
                       CUDA_R_8I, 1, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
        }) ==
        "emulator: cublasGemmEx: computeType 72 for A, B and C of types 3, 3 and 3 is not "
        "modelled\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasGemmEx(handle, op_n, op_n, 1, 1, 1, f, d, CUDA_R_8I, 4, d, CUDA_R_8I, 1, f, d,
                       CUDA_R_32I, 1, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
        }) ==
        "emulator: cublasGemmEx: lda is 4 and ldb is 1: with CUBLAS_COMPUTE_32I they have to be "
        "multiples of 4\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasGemmEx(handle, op_n, op_n, 1, 1, 1, f, d, CUDA_R_64F, 1, d, CUDA_R_64F, 1, f, d,
                       CUDA_R_64F, 1, CUBLAS_COMPUTE_64F, static_cast<cublasGemmAlgo_t>(50));
        }) == "emulator: cublasGemmEx: algo is 50, no cublasGemmAlgo_t\n");
}

TEST_CASE("cublas: operands of every shape end within their allocation") {
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          double result = 0;
          cublasDdot(handle, 2, d, 4, d, 1, &result);
        }) ==
        "emulator: cublasDdot: x needs 5 doubles, its allocation holds 4 from there: illegal "
        "address\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDspmv(handle, upper, 3, f, d, d, 1, f, d, 1);
        }) ==
        "emulator: cublasDspmv: AP needs 6 doubles, its allocation holds 4 from there: illegal "
        "address\n");
  CHECK(messages_of<double>(
            [](cublasHandle_t handle, double* d) { cublasDspr(handle, lower, 4, f, d, 1, d); }) ==
        "emulator: cublasDspr: AP needs 10 doubles, its allocation holds 4 from there: illegal "
        "address\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDtbmv(handle, upper, op_n, unit, 3, 1, d, 2, d, 1);
        }) ==
        "emulator: cublasDtbmv: A needs 6 doubles, its allocation holds 4 from there: illegal "
        "address\n");
  // The last column of a lower band is its diagonal alone; here 2 * 1 + 1 numbers do.
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDtbmv(handle, lower, op_n, non_unit, 2, 1, d + 1, 2, d, 1);
        }) == "");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDgbmv(handle, op_n, 2, 3, 0, 1, f, d, 2, d, 1, f, d, 1);
        }) ==
        "emulator: cublasDgbmv: A needs 5 doubles, its allocation holds 4 from there: illegal "
        "address\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDsyrk(handle, upper, op_n, 2, 1, f, d, 2, f, d + 1, 2);
        }) ==
        "emulator: cublasDsyrk: C needs 4 doubles, its allocation holds 3 from there: illegal "
        "address\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDgemmStridedBatched(handle, op_n, op_n, 1, 1, 1, f, d, 1, 2, d, 1, 1, f, d, 1, 1,
                                    3);
        }) ==
        "emulator: cublasDgemmStridedBatched: A[2] is not in memory that the device can reach: "
        "illegal address\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          const double* addresses[1] = {d};
          double* results[1] = {d};
          cublasDgemmBatched(handle, op_n, op_n, 1, 1, 1, f, addresses, 1, addresses, 1, f, results,
                             1, 1);
        }) ==
        "emulator: cublasDgemmBatched: Aarray is not in memory that the device can reach: illegal "
        "address\n");
}

TEST_CASE("cublas: results go where the pointer mode says") {
  // A result for the host is copied there, also if that is the device's memory.
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          double two[2] = {3, 4};
          cudaMemcpy(d, two, sizeof two, cudaMemcpyDefault);
          const cublasStatus_t status = cublasDnrm2(handle, 2, d, 1, d);
          cudaMemcpy(two, d, sizeof(double), cudaMemcpyDefault);
          std::fprintf(stderr, "%d %g\n", status, two[0]);
        }) == "0 5\n");
  emulator::set_checking(true);
  {
    const Handle handle;
    const Array<double> numbers({3, 4});
    CHECK(cublasDnrm2(handle, 2, numbers.get(), 1, numbers.get()) == CUBLAS_STATUS_SUCCESS);
  }
  emulator::set_checking(false);
  REQUIRE(emulator::findings().size() == 1);
  CHECK(emulator::findings()[0].severity == emulator::Severity::warning);
  CHECK(emulator::findings()[0].what ==
        "cublasDnrm2: result points to device memory, the handle's mode is "
        "CUBLAS_POINTER_MODE_HOST: it is written there, and the host waits for it");
  emulator::clear_findings();
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          double c = 0;
          cublasDrotg(handle, d, &c, &c, &c);
        }) ==
        "emulator: cublasDrotg: a points to device memory, the handle's mode is "
        "CUBLAS_POINTER_MODE_HOST: a GPU's host would crash\n");
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          int result = 0;
          cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
          cublasIdamax(handle, 2, d, 1, &result);
        }) ==
        "emulator: cublasIdamax: result is not in memory that the device can reach: illegal "
        "address\n");
}

TEST_CASE("cublas: a line of the log has the arguments and what was returned") {
  const auto logged = [](auto action) {
    return messages_of<double>([&](cublasHandle_t handle, double* d) {
      cublasLoggerConfigure(1, 0, 1, nullptr);
      action(handle, d);
      cublasLoggerConfigure(0, 0, 0, nullptr);
    });
  };
  CHECK(logged([](cublasHandle_t handle, double* d) {
          cublasDtrsm(handle, left, upper, op_t, unit, 2, 1, f, d, 2, d, 2);
        }) ==
        "I! cuBLAS (v13.1) function cublasDtrsm(side=CUBLAS_SIDE_LEFT, "
        "uplo=CUBLAS_FILL_MODE_UPPER, trans=CUBLAS_OP_T, diag=CUBLAS_DIAG_UNIT, m=2, n=1, lda=2, "
        "ldb=2) called: CUBLAS_STATUS_SUCCESS\n");
  CHECK(logged(
            [](cublasHandle_t handle, double* d) { cublasDdot(handle, 3, d, 1, d, 1, nullptr); }) ==
        "emulator: cublasDdot: result is a null pointer\n"
        "I! cuBLAS (v13.1) function cublasDdot(n=3) called: CUBLAS_STATUS_INVALID_VALUE\n");
  CHECK(logged([](cublasHandle_t handle, double*) {
          cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
        }) == "I! cuBLAS (v13.1) function cublasSetMathMode() called: CUBLAS_STATUS_SUCCESS\n");
  CHECK(logged([](cublasHandle_t, double*) {
          const bool as_told = cublasLoggerConfigure(1, 0, 0, "/none/there") == invalid;
          if (!as_told) std::fprintf(stderr, "wrong\n");
        }) == "emulator: cannot write cuBLAS's log to /none/there\n");
}

TEST_CASE("cublas: the log as the environment has it") {
  const auto child = host_test::in_child([] {
    setenv("CUBLAS_LOGINFO_DBG", "1", 1);
    setenv("CUBLAS_LOGDEST_DBG", "stderr", 1);
    // Anew, as the library looks once.
    execl("/proc/self/exe", "test", "--test-case=cublas: values of modes that are none", nullptr);
  });
  CHECK(child.error_output.starts_with(
      "I! cuBLAS (v13.1) function cublasCreate() called: CUBLAS_STATUS_SUCCESS\n"));
}

namespace {

/// What the checks find of the action, on memory that nothing has written.
template <class Action>
std::string findings_of(Action action) {
  const host_test::Fresh fresh;
  const Handle handle;
  double* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 16 * sizeof(double)) == cudaSuccess);
  emulator::clear_findings();
  emulator::set_checking(true);
  action(handle, memory);
  std::string all;
  for (const emulator::Finding& finding : emulator::findings()) {
    all += finding.kind + ": " + finding.what + "\n";
  }
  emulator::set_checking(false);
  emulator::clear_findings();
  CHECK(cudaFree(memory) == cudaSuccess);
  return all;
}

const double numbers[16] = {1, 2, 3, 4};

void write(double* to, int count) {
  CHECK(cudaMemcpy(to, numbers, static_cast<std::size_t>(count) * sizeof(double),
                   cudaMemcpyDefault) == cudaSuccess);
}

/// Copies that many numbers to the host, which is a finding if one of them was not written.
void fetch(const double* from, int count) {
  double here[16];
  CHECK(cudaMemcpy(here, from, static_cast<std::size_t>(count) * sizeof(double),
                   cudaMemcpyDefault) == cudaSuccess);
}

}  // namespace

TEST_CASE("cublas: the checks find what a call reads and nobody has written") {
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          double result = 0;
          write(d, 3);
          CHECK(cublasDasum(handle, 4, d, 1, &result) == success);
        }) == "uninitialised: cublasDasum reads as x 8 bytes that nothing has written\n");
  // With *beta = 0, y need not be written.
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          write(d, 4);
          const double none = 0;
          CHECK(cublasDgemv(handle, op_n, 2, 2, f, d, 2, d, 1, &none, d + 4, 1) == success);
          CHECK(cublasDgemv(handle, op_n, 2, 2, f, d, 2, d, 1, f, d + 6, 1) == success);
        }) == "uninitialised: cublasDgemv reads as y 16 bytes that nothing has written\n");
  // Neither the gaps of a matrix, nor its other triangle, nor a unit diagonal.
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          write(d + 4, 1);
          write(d + 8, 2);
          CHECK(cublasDtrmv(handle, upper, op_n, unit, 2, d + 2, 2, d + 8, 1) == success);
        }) == "");
}

TEST_CASE("cublas: what a call writes counts as written, and no more") {
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          write(d, 2);
          CHECK(cublasDcopy(handle, 2, d, 1, d + 4, 2) == success);
          fetch(d + 4, 1);
          fetch(d + 6, 1);
        }) == "");
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          write(d, 2);
          CHECK(cublasDcopy(handle, 2, d, 1, d + 4, 2) == success);
          fetch(d + 4, 3);
        }) == "uninitialised: the host fetches 8 bytes that nothing has written\n");
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          const double none = 0;
          write(d, 2);
          CHECK(cublasDsyrk(handle, lower, op_n, 2, 1, f, d, 2, &none, d + 4, 2) == success);
          fetch(d + 4, 2);
          fetch(d + 7, 1);
          fetch(d + 6, 1);
        }) == "uninitialised: the host fetches 8 bytes that nothing has written\n");
  CHECK(findings_of([](cublasHandle_t handle, double* d) {
          write(d, 2);
          REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == success);
          CHECK(cublasDasum(handle, 2, d, 1, d + 5) == success);
          fetch(d + 5, 1);
        }) == "");
}

// The library of CUDA 13, on an H200, multiplies by 0 what is not a number in some of these.
TEST_CASE_TEMPLATE("cublas: a matrix without a factor is not read", T, float, double) {
  const Handle handle;
  const T none = 0;
  const T twice = 2;
  const Array<T> unusable(std::vector<T>(4, nothing<T>));
  T* const u = unusable.get();
  const Array<T> c({1, 2, 3, 4});
  CHECK(of<T>(cublasSsymm, cublasDsymm)(handle, left, upper, 2, 2, &none, u, 2, u, 2, &twice,
                                        c.get(), 2) == success);
  CHECK(agree(c.numbers(), {2, 4, 6, 8}));
  CHECK(of<T>(cublasSsyrk, cublasDsyrk)(handle, upper, op_n, 2, 2, &none, u, 2, &twice, c.get(),
                                        2) == success);
  CHECK(agree(c.numbers(), {4, 4, 12, 16}));
  CHECK(of<T>(cublasStrsm, cublasDtrsm)(handle, left, upper, op_n, unit, 2, 1, &none, u, 2, c.get(),
                                        2) == success);
  CHECK(agree(c.numbers(), {0, 0, 12, 16}));
  CHECK(of<T>(cublasStrmm, cublasDtrmm)(handle, left, upper, op_n, unit, 2, 1, &none, u, 2, u, 2,
                                        c.get() + 2, 2) == success);
  CHECK(agree(c.numbers(), {0, 0, 0, 0}));
}

// The library does not look at B's leading dimension.
TEST_CASE("cublas: trmm refuses a leading dimension below the rows") {
  CHECK(messages_of<double>([](cublasHandle_t handle, double* d) {
          cublasDtrmm(handle, left, upper, op_n, unit, 2, 1, f, d, 2, d, 1, d + 2, 2);
        }) == "emulator: cublasDtrmm: ldb is 1, but must be at least 2\n");
}
