/* Runs one of the kernels and verifies its result: bench_checks_opencl KERNEL SIZE. The twin of
   bench_checks.cu, for OpenCL; kernels.cl is read from KERNELS_FILE. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

#include "problem.h"

static void check(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", call, (int)status);
  exit(1);
}

#define CHECK(call) check(call, #call)

static char* read_text(const char* path) {
  FILE* const file = fopen(path, "r");
  char* const text = (char*)calloc(1, 1 << 16);
  if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  return text;
}

static cl_kernel build(cl_context context, cl_device_id device, const char* name) {
  cl_int status = CL_SUCCESS;
  char* const text = read_text(KERNELS_FILE);
  const cl_program program =
      clCreateProgramWithSource(context, 1, (const char**)&text, NULL, &status);
  check(status, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
    char log[8192] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
    exit(1);
  }
  const cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, "clCreateKernel");
  CHECK(clReleaseProgram(program));
  free(text);
  return kernel;
}

/* An array of the device; with what the host has, if it has anything. */
static cl_mem on_device(cl_context context, cl_command_queue queue, const float* host,
                        size_t count) {
  if (count == 0) return NULL;
  cl_int status = CL_SUCCESS;
  const cl_mem array =
      clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(float), NULL, &status);
  check(status, "clCreateBuffer");
  if (host != NULL) {
    CHECK(
        clEnqueueWriteBuffer(queue, array, CL_TRUE, 0, count * sizeof(float), host, 0, NULL, NULL));
  }
  return array;
}

static void launch(const problem* p, cl_command_queue queue, cl_kernel kernel, cl_mem a, cl_mem b,
                   cl_mem out) {
  const float alpha = 3;
  cl_uint argument = 0;
  if (p->kernel != kernel_empty) {
    CHECK(clSetKernelArg(kernel, argument++, sizeof p->size, &p->size));
    if (is_in_place(p)) {
      CHECK(clSetKernelArg(kernel, argument++, sizeof alpha, &alpha));
    }
    CHECK(clSetKernelArg(kernel, argument++, sizeof a, &a));
    if (b != NULL) CHECK(clSetKernelArg(kernel, argument++, sizeof b, &b));
    CHECK(clSetKernelArg(kernel, argument++, sizeof out, &out));
  }
  const int two = is_two_dimensional(p);
  const size_t edge = two ? tile_edge : block_threads;
  const size_t local[2] = {edge, edge};
  const size_t global[2] = {(size_t)p->blocks * edge, (size_t)p->blocks * edge};
  CHECK(clEnqueueNDRangeKernel(queue, kernel, two ? 2 : 1, NULL, global, local, 0, NULL, NULL));
  CHECK(clFinish(queue));
}

int main(int argc, char** argv) {
  const problem p = read_problem(argc, argv);
  float* const a = new_array(p.a_count);
  float* const b = new_array(p.b_count);
  float* const out = new_array(p.out_count);
  fill(a, p.a_count, 0);
  fill(b, p.b_count, 1);
  fill(out, p.out_count, 1);

  cl_int status = CL_SUCCESS;
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  const cl_kernel kernel = build(context, device, kernel_name(&p));

  const cl_mem device_a = on_device(context, queue, a, p.a_count);
  const cl_mem device_b = on_device(context, queue, b, p.b_count);
  const cl_mem device_out = on_device(context, queue, is_in_place(&p) ? out : NULL, p.out_count);
  launch(&p, queue, kernel, device_a, device_b, device_out);
  if (device_out != NULL) {
    CHECK(clEnqueueReadBuffer(queue, device_out, CL_TRUE, 0, p.out_count * sizeof(float), out, 0,
                              NULL, NULL));
  }
  if (device_a != NULL) CHECK(clReleaseMemObject(device_a));
  if (device_b != NULL) CHECK(clReleaseMemObject(device_b));
  if (device_out != NULL) CHECK(clReleaseMemObject(device_out));
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));

  const int result = judge(&p, a, b, out);
  free(a);
  free(b);
  free(out);
  return result;
}
