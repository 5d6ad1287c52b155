/* SPDX-License-Identifier: MIT */
/* OpenCL's host side: the first device of the first platform that has one, or
 * those of the environment's PLATFORM and DEVICE. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "tables.h"
#include "test.h"
#include "host.h"

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffers[6];

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: %s returned %d\n", TEST_NAME, what, error);
  exit(2);
}

static unsigned number_of(const char *variable) {
  const char *text = getenv(variable);
  return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static char *read_kernel(void) {
  FILE *file = fopen("kernel.cl", "r");
  char *text = (char *)host_alloc(1 << 20);
  if (!file || !fread(text, 1, 1 << 20, file)) host_fail("kernel.cl cannot be read");
  fclose(file);
  return text;
}

static void build(void) {
  cl_int error;
  const char *text = read_kernel();
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) != CL_SUCCESS) {
    static char log[65536];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    host_fail(log);
  }
  kernel = clCreateKernel(program, "litmus", &error);
  check(error, "clCreateKernel");
}

static const char *device_open(void) {
  static char name[256];
  cl_platform_id platforms[16];
  cl_device_id devices[64];
  cl_uint count = 0, platform = number_of("PLATFORM"), number = number_of("DEVICE");
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  if (platform >= count) host_fail("there is no such platform");
  check(clGetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, 64, devices, &count), "clGetDeviceIDs");
  if (number >= count) host_fail("there is no such device");
  device = devices[number];
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  cl_int error;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  check(error, "clCreateCommandQueue");
  build();
  return name;
}

static void device_run(const struct launch *l, const struct buffers *b) {
  void *const host[6] = {b->cells, b->results, b->deal, b->places, b->pad, b->params};
  const size_t sizes[6] = {b->cells_size, b->results_size, b->deal_size, b->places_size, b->pad_size, b->params_size};
  for (cl_uint i = 0; i < 6; i++) {
    cl_int error = CL_SUCCESS;
    if (!buffers[i]) buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, sizes[i], NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    check(clEnqueueWriteBuffer(queue, buffers[i], CL_TRUE, 0, sizes[i], host[i], 0, NULL, NULL), "clEnqueueWriteBuffer");
  }
  size_t local = test_shape.items, global = local * (l->groups + l->stress_groups);
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  for (int i = 0; i < 2; i++)
    check(clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, sizes[i], host[i], 0, NULL, NULL), "clEnqueueReadBuffer");
}
