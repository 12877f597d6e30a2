/// \file
/// cuBLAS's calls in streams that are captured: this file compiles against NVIDIA's cuBLAS as well.

#include "libraries/common/capture_test.hpp"
#include "libraries/cublas/cublas_test.hpp"

using namespace cublas_test;

namespace {

/// A handle whose stream is being captured.
class Captured : public libraries::Capture {
 public:
  Captured() {
    REQUIRE(cublasSetStream(handle_, stream()) == success);
    begin();
  }
  cublasHandle_t handle() const { return handle_; }

 private:
  Handle handle_;
};

}  // namespace

TEST_CASE("cublas: a captured call is done by each launch, with the numbers of its capture") {
  const OnDevice x({1, 2});
  const OnDevice y({10, 20});
  Captured captured;
  float factor = 2;
  CHECK(cublasSaxpy(captured.handle(), 2, &factor, x.get(), 1, y.get(), 1) == success);
  factor = 100;
  CHECK(cublasSscal(captured.handle(), 2, &two, x.get(), 1) == success);
  CHECK(captured.end() == cudaSuccess);
  CHECK(captured.nodes() >= 2);
  CHECK(x.numbers() == Numbers{1, 2});
  CHECK(y.numbers() == Numbers{10, 20});
  // What the handle comes to be later is nothing to the graph.
  CHECK(cublasSetPointerMode(captured.handle(), CUBLAS_POINTER_MODE_DEVICE) == success);
  CHECK(cublasSetStream(captured.handle(), nullptr) == success);
  captured.launch();
  CHECK(x.numbers() == Numbers{2, 4});
  CHECK(y.numbers() == Numbers{12, 24});
  captured.launch();
  CHECK(y.numbers() == Numbers{16, 32});
}

TEST_CASE("cublas: factors and results in the device's memory are those of each launch") {
  const OnDevice x({1, 2, 3});
  const OnDevice y({1, 1, 1});
  const OnDevice numbers({2, 0});
  Captured captured;
  CHECK(cublasSetPointerMode(captured.handle(), CUBLAS_POINTER_MODE_DEVICE) == success);
  CHECK(cublasSaxpy(captured.handle(), 3, numbers.get(), x.get(), 1, y.get(), 1) == success);
  CHECK(cublasSdot(captured.handle(), 3, x.get(), 1, y.get(), 1, numbers.get() + 1) == success);
  CHECK(captured.end() == cudaSuccess);
  captured.launch();
  CHECK(y.numbers() == Numbers{3, 5, 7});
  CHECK(numbers.numbers() == Numbers{2, 34});
  const float three_and_none[] = {3, 0};
  CHECK(cudaMemcpy(numbers.get(), three_and_none, 8, cudaMemcpyDefault) == cudaSuccess);
  captured.launch();
  CHECK(y.numbers() == Numbers{6, 11, 16});
  CHECK(numbers.numbers() == Numbers{3, 76});
}

TEST_CASE("cublas: products of matrices are captured, too, and arguments are checked at once") {
  const OnDevice a({1, 2, 3, 4});
  const OnDevice b({1, 0, 0, 1});
  const OnDevice c({no_number, no_number, no_number, no_number});
  Captured captured;
  CHECK(cublasSgemm(captured.handle(), op_n, op_n, -1, 2, 2, &one, a.get(), 2, b.get(), 2, &zero,
                    c.get(), 2) == invalid);
  CHECK(cublasSgemm(captured.handle(), op_n, op_n, 2, 2, 2, &two, a.get(), 2, b.get(), 2, &zero,
                    c.get(), 2) == success);
  CHECK(cublasGemmEx(captured.handle(), op_n, op_n, 2, 2, 2, &one, a.get(), CUDA_R_32F, 2, b.get(),
                     CUDA_R_32F, 2, &one, c.get(), CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == success);
  CHECK(cublasSgemv(captured.handle(), op_n, 2, 2, &one, c.get(), 2, a.get(), 1, &zero, b.get(),
                    1) == success);
  CHECK(captured.end() == cudaSuccess);
  CHECK(captured.nodes() >= 3);
  captured.launch();
  CHECK(c.numbers() == Numbers{3, 6, 9, 12});
  CHECK(b.numbers() == Numbers{21, 30, 0, 1});
}

TEST_CASE("cublas: a result for the host cannot be captured, and ends the capture") {
  const OnDevice x({1, 2});
  Captured captured;
  float result = 0;
  CHECK(cublasSdot(captured.handle(), 2, x.get(), 1, x.get(), 1, &result) != success);
  CHECK(captured.end() == cudaErrorStreamCaptureInvalidated);
}
