// The twin of bench.cu for OpenCL, on PoCL:
//
//     bench_opencl KERNELS.CL KERNEL SIZE LAUNCHES
//     bench_opencl --version
//
// Exit status 77: PoCL is not there.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fstream>
#include <iterator>
#include <string>

#include "problem.hpp"

namespace {

void check(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "bench: %s: error %d\n", call, static_cast<int>(status));
  std::exit(1);
}

#define CHECK(call) check(call, #call)

std::string text_of(cl_platform_id platform, cl_platform_info what) {
  char text[1024] = "";
  CHECK(clGetPlatformInfo(platform, what, sizeof text - 1, text, nullptr));
  return text;
}

cl_platform_id pocl() {
  cl_platform_id platforms[16] = {};
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS) {
    for (cl_uint i = 0; i < count && i < 16; ++i) {
      if (text_of(platforms[i], CL_PLATFORM_NAME) == "Portable Computing Language") {
        return platforms[i];
      }
    }
  }
  std::fputs("bench: no OpenCL platform is PoCL\n", stderr);
  std::exit(77);
}

cl_kernel build(cl_context context, cl_device_id device, const char* path,
                const bench::Problem& p) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const char* source = text.c_str();
  cl_int status = CL_SUCCESS;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  const std::string options = "-Dtile=" + std::to_string(p.tile);
  if (clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    char log[8192] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, nullptr);
    std::fprintf(stderr, "%s\nbench: %s does not compile\n", log, path);
    std::exit(1);
  }
  const cl_kernel kernel = clCreateKernel(program, p.gemm ? "gemm" : "sgemv", &status);
  check(status, "clCreateKernel");
  CHECK(clReleaseProgram(program));
  return kernel;
}

cl_mem on_device(cl_context context, cl_command_queue queue, const std::vector<float>& host) {
  const std::size_t bytes = host.size() * sizeof(float);
  cl_int status = CL_SUCCESS;
  const cl_mem array = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  check(status, "clCreateBuffer");
  CHECK(clEnqueueWriteBuffer(queue, array, CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr));
  return array;
}

void launch(const bench::Problem& p, cl_command_queue queue, cl_kernel kernel) {
  const std::size_t edge = p.gemm ? static_cast<std::size_t>(p.tile) : bench::sgemv_block;
  const std::size_t all = static_cast<std::size_t>(p.blocks()) * edge;
  const std::size_t local[2] = {edge, edge};
  const std::size_t global[2] = {all, all};
  CHECK(clEnqueueNDRangeKernel(queue, kernel, p.gemm ? 2 : 1, nullptr, global, local, 0, nullptr,
                               nullptr));
  CHECK(clFinish(queue));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::printf("%s\n", text_of(pocl(), CL_PLATFORM_VERSION).c_str());
    return 0;
  }
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s KERNELS.CL KERNEL SIZE LAUNCHES\n", argv[0]);
    return 2;
  }
  const char* const path = argv[1];
  const bench::Problem p = bench::read_problem(argc - 1, argv + 1);

  const cl_platform_id platform = pocl();
  cl_int status = CL_SUCCESS;
  cl_device_id device = nullptr;
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr));
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  const cl_kernel kernel = build(context, device, path, p);

  const cl_mem a = on_device(context, queue, p.a);
  const cl_mem b = on_device(context, queue, p.b);
  const cl_mem out = on_device(context, queue, std::vector<float>(p.out_count()));
  CHECK(clSetKernelArg(kernel, 0, sizeof p.size, &p.size));
  CHECK(clSetKernelArg(kernel, 1, sizeof a, &a));
  CHECK(clSetKernelArg(kernel, 2, sizeof b, &b));
  CHECK(clSetKernelArg(kernel, 3, sizeof out, &out));

  const std::size_t bytes = p.out_count() * sizeof(float);
  const auto poison = [&](float value) {
    const std::vector<float> host(p.out_count(), value);
    CHECK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr));
  };
  const auto fetch = [&](std::vector<float>& host) {
    CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr));
  };
  const int result = bench::measure(
      p, poison, [&] { launch(p, queue, kernel); }, fetch);
  CHECK(clReleaseMemObject(a));
  CHECK(clReleaseMemObject(b));
  CHECK(clReleaseMemObject(out));
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));
  return result;
}
