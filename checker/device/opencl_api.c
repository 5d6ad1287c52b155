/* SPDX-License-Identifier: MIT */
/* OpenCL's host side, over a loader that is opened at run time. */
#include "checker/device/opencl_api.h"

#include <stdarg.h>
#include <string.h>

#include "checker/base/array.h"

static bool fail(struct opencl_report *report, enum device_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct opencl_report *report, enum device_end end, const char *format, ...) {
  if (report->end != DEVICE_DONE) return false; /* the first failure is the cause */
  va_list args;
  va_start(args, format);
  vsnprintf(report->message, sizeof report->message, format, args);
  va_end(args);
  report->end = end;
  return false;
}

#if defined __has_include && !defined WITHOUT_OPENCL
#if __has_include(<CL/cl.h>)
#define HAVE_OPENCL
#endif
#endif

#ifndef HAVE_OPENCL

static void fail_without(struct opencl_report *report) {
  fail(report, DEVICE_FAILED,
       "this litscope was built without OpenCL: install its headers (Debian: opencl-headers) and build it again");
}

size_t opencl_list(struct device_facts *facts, size_t room, struct opencl_report *report) {
  (void)facts, (void)room;
  fail_without(report);
  return 0;
}

void opencl_run(const struct device_job *job, struct device_result *result, void (*tick)(void *context), void *context,
                struct opencl_report *report) {
  (void)job, (void)result, (void)tick, (void)context;
  fail_without(report);
}

#else

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "checker/base/clock.h"

/* clang-format off */
#define CALLS(X) \
  X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext) \
  X(clCreateCommandQueue) X(clCreateProgramWithSource) X(clBuildProgram) X(clGetProgramBuildInfo) X(clCreateKernel) \
  X(clCreateBuffer) X(clSetKernelArg) X(clEnqueueNDRangeKernel) X(clEnqueueMapBuffer) X(clEnqueueUnmapMemObject) \
  X(clFinish) X(clCreateSubBuffer)
/* clang-format on */

struct opencl {
  void *library;
#define CALL_MEMBER(name) __typeof__(name) *name;
  CALLS(CALL_MEMBER)
#undef CALL_MEMBER
};

/* ---- the loader ---- */

static const char *error_text(cl_int error) {
  switch (error) {
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
      return "out of memory or resources; fewer instances (-n) need less";
    case CL_INVALID_WORK_GROUP_SIZE:
      return "work-groups are too large for it; fewer lanes need less";
    default:
      return "see CL/cl.h";
  }
}

static bool failed(struct opencl_report *report, cl_int error, const char *what) {
  if (error == CL_SUCCESS) return false;
  fail(report, DEVICE_FAILED, "the device failed: %s returned %d (%s)", what, error, error_text(error));
  return true;
}

static bool open_loader(struct opencl *cl, struct opencl_report *report) {
  /* PoCL: each of its threads on a processor of its own, or else two that were
   * started on one stay there for milliseconds, and a short launch shows nothing. */
  setenv("POCL_AFFINITY", "1", 0);
  cl->library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!cl->library)
    return fail(
        report, DEVICE_FAILED,
        "OpenCL's loader cannot be opened (Debian: ocl-icd-libopencl1, and a driver such as pocl-opencl-icd): %s",
        dlerror());
  void *symbol;
#define CALL_FIND(name)                                                              \
  symbol = dlsym(cl->library, #name);                                                \
  if (!symbol) fail(report, DEVICE_FAILED, "OpenCL's loader lacks the call " #name); \
  memcpy(&cl->name, &symbol, sizeof symbol);
  CALLS(CALL_FIND)
#undef CALL_FIND
  return report->end == DEVICE_DONE;
}

/* ---- devices ---- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

struct found_device {
  cl_platform_id platform;
  cl_device_id device;
};

static size_t find_devices(const struct opencl *cl, struct found_device *found, struct opencl_report *report) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint platform_count = 0;
  size_t count = 0;
  if (cl->clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) platform_count = 0;
  if (platform_count > MOST_PLATFORMS) platform_count = MOST_PLATFORMS;
  for (cl_uint p = 0; p < platform_count; p++) {
    cl_device_id devices[MOST_DEVICES];
    cl_uint device_count = 0;
    if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count) != CL_SUCCESS)
      continue;
    for (cl_uint d = 0; d < device_count && count < MOST_DEVICES; d++)
      found[count++] = (struct found_device){platforms[p], devices[d]};
  }
  if (!count)
    fail(report, DEVICE_FAILED,
         "OpenCL has no device: no driver is installed (Debian: pocl-opencl-icd is one for every processor)");
  return count;
}

static cl_ulong query(const struct opencl *cl, cl_device_id device, cl_device_info name, size_t size) {
  cl_ulong value = 0;
  return cl->clGetDeviceInfo(device, name, size, &value, NULL) == CL_SUCCESS ? value : 0;
}

static void query_text(const struct opencl *cl, cl_device_id device, cl_device_info name, char *text, size_t size) {
  char whole[4096] = "";
  if (cl->clGetDeviceInfo(device, name, sizeof whole - 1, whole, NULL) != CL_SUCCESS) *whole = '\0';
  snprintf(text, size, "%.*s", (int)size - 1, whole);
}

/* OpenCL's capability bits as bits of enum order and enum scope. */
static uint32_t orders_of(cl_ulong bits) {
  uint32_t orders = 0;
  if (bits & CL_DEVICE_ATOMIC_ORDER_RELAXED) orders |= 1u << ORDER_RLX;
  if (bits & CL_DEVICE_ATOMIC_ORDER_ACQ_REL)
    orders |= 1u << ORDER_ACQ | 1u << ORDER_REL | 1u << ORDER_ACQ_REL | 1u << ORDER_CON;
  if (bits & CL_DEVICE_ATOMIC_ORDER_SEQ_CST) orders |= 1u << ORDER_SC;
  return orders;
}

static uint32_t scopes_of(cl_ulong bits, bool sub_groups) {
  uint32_t scopes = 0;
  if (bits & CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM) scopes |= 1u << SCOPE_WI;
  if (bits & CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP) scopes |= 1u << SCOPE_WG;
  if (bits & CL_DEVICE_ATOMIC_SCOPE_DEVICE) scopes |= 1u << SCOPE_DEV;
  if (bits & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) scopes |= 1u << SCOPE_SYS;
  return scopes | (sub_groups ? 1u << SCOPE_SG : 0);
}

/* Before OpenCL 3.0 there is nothing to ask: version 2 has all. */
static void query_atomics(const struct opencl *cl, cl_device_id device, int version, struct device_facts *f) {
  const cl_ulong all = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                       CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
                       CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                       CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  cl_ulong memory = version == 2 ? all : version < 2 ? 0 : query(cl, device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, 8);
  cl_ulong fence = version == 2 ? all : version < 2 ? 0 : query(cl, device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, 8);
  f->orders = orders_of(memory);
  f->fence_orders = orders_of(fence);
  f->scopes = scopes_of(memory, f->sub_groups > 0);
  f->fence_scopes = scopes_of(fence, f->sub_groups > 0);
  f->usable = (f->orders & 1u << ORDER_RLX) != 0;
}

static void query_device(const struct opencl *cl, const struct found_device *found, struct device_facts *f) {
  cl_device_id device = found->device;
  char extensions[4096];
  if (cl->clGetPlatformInfo(found->platform, CL_PLATFORM_NAME, sizeof f->platform, f->platform, NULL) != CL_SUCCESS)
    *f->platform = '\0';
  query_text(cl, device, CL_DEVICE_NAME, f->name, sizeof f->name);
  query_text(cl, device, CL_DEVICE_VERSION, f->version, sizeof f->version);
  query_text(cl, device, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
  int version = 0;
  if (sscanf(f->version, "OpenCL %d", &version) != 1) version = 0;
  f->is_cpu = (query(cl, device, CL_DEVICE_TYPE, 8) & CL_DEVICE_TYPE_CPU) != 0;
  f->units = (uint32_t)query(cl, device, CL_DEVICE_MAX_COMPUTE_UNITS, 4);
  f->group_items = (uint32_t)query(cl, device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
  f->sub_groups = version < 2 ? 0 : (uint32_t)query(cl, device, CL_DEVICE_MAX_NUM_SUB_GROUPS, 4);
  if (f->sub_groups)
    f->sub_group = (uint32_t)query(cl, device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t));
  f->wide = strstr(extensions, "cl_khr_int64_base_atomics") && strstr(extensions, "cl_khr_int64_extended_atomics");
  f->svm = version < 2 ? 0 : (uint32_t)query(cl, device, CL_DEVICE_SVM_CAPABILITIES, 8);
  f->local_bytes = query(cl, device, CL_DEVICE_LOCAL_MEM_SIZE, 8);
  f->allocation_bytes = query(cl, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8);
  query_atomics(cl, device, version, f);
}

size_t opencl_list(struct device_facts *facts, size_t room, struct opencl_report *report) {
  struct opencl cl;
  struct found_device found[MOST_DEVICES];
  if (!open_loader(&cl, report)) return 0;
  size_t count = find_devices(&cl, found, report);
  for (size_t i = 0; i < count && i < room; i++) query_device(&cl, &found[i], &facts[i]);
  return count;
}

/* ---- a run ---- */

enum { BUFFER_CELLS, BUFFER_OUT, BUFFER_DEAL, BUFFER_WHERE, BUFFER_PAD, BUFFER_PARAMS, BUFFERS };

struct session {
  struct opencl cl;
  const struct device_job *job;
  struct opencl_report *report;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem buffers[BUFFERS];
  size_t sizes[BUFFERS];
  cl_mem *parts; /* a kernel as it is: of each instance, each argument's part of the cells, which begins at `starts` */
  size_t *starts;
  uint64_t random;
};

static void report_build(struct session *s, cl_program program) {
  char log[OPENCL_MESSAGE - 256] = "";
  s->cl.clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  fail(s->report, DEVICE_BUILD, "%s", *log ? log : "the device's compiler does not say why");
}

static bool build(struct session *s) {
  cl_int error;
  const char *text = s->job->kernel;
  cl_program program = s->cl.clCreateProgramWithSource(s->context, 1, &text, NULL, &error);
  if (failed(s->report, error, "clCreateProgramWithSource")) return false;
  char version[128];
  query_text(&s->cl, s->device, CL_DEVICE_VERSION, version, sizeof version);
  const char *standard = strstr(version, "OpenCL 2") ? "-cl-std=CL2.0" : "-cl-std=CL3.0";
  const struct kernel_as_written *whole = s->job->as_written;
  char options[4096];
  snprintf(options, sizeof options, "%s %s", standard, whole ? whole->options : "");
  error = s->cl.clBuildProgram(program, 1, &s->device, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    report_build(s, program);
    return false;
  }
  s->kernel = s->cl.clCreateKernel(program, whole ? whole->launch->name : "litmus", &error);
  return !failed(s->report, error, "clCreateKernel");
}

static bool open_device(struct session *s) {
  struct found_device found[MOST_DEVICES];
  if (!open_loader(&s->cl, s->report)) return false;
  size_t count = find_devices(&s->cl, found, s->report);
  if (s->job->device >= count) return false;
  cl_int error;
  s->device = found[s->job->device].device;
  s->context = s->cl.clCreateContext(NULL, 1, &s->device, NULL, NULL, &error);
  if (failed(s->report, error, "clCreateContext")) return false;
  s->queue = s->cl.clCreateCommandQueue(s->context, s->device, 0, &error);
  return !failed(s->report, error, "clCreateCommandQueue");
}

static bool make_buffer(struct session *s, cl_uint buffer) {
  cl_int error;
  s->buffers[buffer] =
      s->cl.clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, s->sizes[buffer], NULL, &error);
  return !failed(s->report, error, "clCreateBuffer");
}

static bool make_buffers(struct session *s) {
  const struct table_shape *shape = &s->job->shape;
  const struct launch *launch = &s->job->launch;
  size_t count = tables_instances(shape, launch);
  s->sizes[BUFFER_CELLS] = tables_cells_size(shape, launch) * shape->wide;
  s->sizes[BUFFER_OUT] = (count * shape->results + 1) * shape->wide;
  s->sizes[BUFFER_DEAL] = tables_deal_size(shape, launch) * 4;
  s->sizes[BUFFER_WHERE] = count * 4;
  s->sizes[BUFFER_PAD] = tables_pad_size(launch) * 4;
  s->sizes[BUFFER_PARAMS] = tables_params_size(shape) * 4;
  for (cl_uint i = 0; i < BUFFERS; i++) {
    if (!make_buffer(s, i)) return false;
    cl_int error = s->cl.clSetKernelArg(s->kernel, i, sizeof s->buffers[i], &s->buffers[i]);
    if (failed(s->report, error, "clSetKernelArg")) return false;
  }
  return true;
}

static void *map(struct session *s, int buffer, cl_map_flags flags) {
  cl_int error;
  void *at = s->cl.clEnqueueMapBuffer(s->queue, s->buffers[buffer], CL_TRUE, flags, 0, s->sizes[buffer], 0, NULL, NULL,
                                      &error);
  return failed(s->report, error, "clEnqueueMapBuffer") ? NULL : at;
}

static void unmap(struct session *s, int buffer, void *at) {
  if (at)
    failed(s->report, s->cl.clEnqueueUnmapMemObject(s->queue, s->buffers[buffer], at, 0, NULL, NULL), "unmapping");
}

/* What the device reads, for one launch. */
static bool prepare(struct session *s) {
  const struct table_shape *shape = &s->job->shape;
  const struct launch *launch = &s->job->launch;
  void *at[BUFFERS];
  for (int i = 0; i < BUFFERS; i++) at[i] = map(s, i, CL_MAP_WRITE);

  if (s->report->end == DEVICE_DONE) {
    tables_params(&s->random, shape, launch, at[BUFFER_PARAMS]);
    tables_deal(&s->random, shape, launch, at[BUFFER_DEAL]);
    tables_order(&s->random, at[BUFFER_WHERE], tables_instances(shape, launch), launch->shuffle != 0);
    tables_fill(shape, launch, at[BUFFER_PARAMS], s->job->initial, at[BUFFER_CELLS]);
    memset(at[BUFFER_PAD], 0, s->sizes[BUFFER_PAD]);
    /* What a faulty driver does not write must not look like the last launch's results. */
    memset(at[BUFFER_OUT], 0x77, s->sizes[BUFFER_OUT]);
  }
  for (int i = 0; i < BUFFERS; i++) unmap(s, i, at[i]);
  return s->report->end == DEVICE_DONE;
}

static bool launch_kernel(struct session *s) {
  size_t local = s->job->shape.items;
  size_t global = local * (s->job->launch.groups + s->job->launch.stress_groups);
  cl_int error = s->cl.clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  if (failed(s->report, error, "clEnqueueNDRangeKernel")) return false;
  return !failed(s->report, s->cl.clFinish(s->queue), "clFinish");
}

static void count(struct session *s, struct device_result *result, long long *values) {
  static const int reads[] = {BUFFER_CELLS, BUFFER_OUT, BUFFER_WHERE, BUFFER_PARAMS};
  void *at[BUFFERS] = {0};
  for (size_t i = 0; i < ARRAY_COUNT(reads); i++) at[reads[i]] = map(s, reads[i], CL_MAP_READ);
  if (s->report->end == DEVICE_DONE)
    tables_count(&s->job->shape, &s->job->launch, at[BUFFER_PARAMS], at[BUFFER_WHERE], at[BUFFER_OUT], at[BUFFER_CELLS],
                 &result->histogram, values);
  for (int i = 0; i < BUFFERS; i++) unmap(s, i, at[i]);
}

/* ---- a kernel as it is ---- */

static bool is_part(const struct kernel_argument *argument) {
  return argument->pointer && !argument->local;
}

/* One buffer for all, since each that is mapped takes time. */
static bool make_parts(struct session *s) {
  const struct kernel_as_written *whole = s->job->as_written;
  unsigned count = whole->launch->argument_count;
  size_t align = query(&s->cl, s->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4) / 8, end = 0;
  if (align < 128) align = 128; /* its own cache lines */
  s->parts = calloc((size_t)whole->batch * count + 1, sizeof(cl_mem));
  s->starts = calloc((size_t)whole->batch * count + 1, sizeof *s->starts);
  if (!s->parts || !s->starts) arena_out_of_memory();
  for (size_t i = 0; i < (size_t)whole->batch * count; i++) {
    s->starts[i] = end;
    end += (whole->launch->arguments[i % count].size + align - 1) / align * align;
  }
  s->sizes[BUFFER_CELLS] = end ? end : align;
  if (!make_buffer(s, BUFFER_CELLS)) return false;
  for (size_t i = 0; i < (size_t)whole->batch * count; i++) {
    const struct kernel_argument *argument = &whole->launch->arguments[i % count];
    const cl_buffer_region region = {s->starts[i], argument->size};
    cl_int error = CL_SUCCESS;
    if (is_part(argument))
      s->parts[i] = s->cl.clCreateSubBuffer(s->buffers[BUFFER_CELLS], CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                            &region, &error);
    if (failed(s->report, error, "clCreateSubBuffer")) return false;
  }
  return true;
}

static bool fill_parts(struct session *s) {
  const struct kernel_launch *launch = s->job->as_written->launch;
  char *at = map(s, BUFFER_CELLS, CL_MAP_WRITE);
  for (size_t i = 0; at && i < (size_t)s->job->as_written->batch * launch->argument_count; i++) {
    const struct kernel_argument *argument = &launch->arguments[i % launch->argument_count];
    if (is_part(argument)) memcpy(at + s->starts[i], argument->image, argument->size);
  }
  unmap(s, BUFFER_CELLS, at);
  return s->report->end == DEVICE_DONE;
}

static bool enqueue_instance(struct session *s, size_t instance) {
  const struct kernel_launch *launch = s->job->as_written->launch;
  size_t local[3], global[3];
  for (int d = 0; d < 3; d++) {
    local[d] = launch->item_shape[d];
    global[d] = local[d] * launch->group_shape[d];
  }
  cl_uint dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  for (cl_uint i = 0; i < launch->argument_count; i++) {
    const struct kernel_argument *argument = &launch->arguments[i];
    cl_mem *part = &s->parts[instance * launch->argument_count + i];
    cl_int error = is_part(argument)
                       ? s->cl.clSetKernelArg(s->kernel, i, sizeof *part, part)
                       : s->cl.clSetKernelArg(s->kernel, i, argument->size, argument->local ? NULL : argument->image);
    if (failed(s->report, error, "clSetKernelArg")) return false;
  }
  cl_int error = s->cl.clEnqueueNDRangeKernel(s->queue, s->kernel, dimensions, NULL, global, local, 0, NULL, NULL);
  return !failed(s->report, error, "clEnqueueNDRangeKernel");
}

static bool launch_as_written(struct session *s) {
  if (!fill_parts(s)) return false;
  for (size_t i = 0; i < s->job->as_written->batch; i++)
    if (!enqueue_instance(s, i)) return false;
  return !failed(s->report, s->cl.clFinish(s->queue), "clFinish");
}

/* A value as programs keep it: with sign, whatever its type says. */
static long long read_value(const char *at, unsigned size) {
  unsigned long long bits = 0;
  memcpy(&bits, at, size);
  unsigned unused = 64 - 8 * size;
  return (long long)(bits << unused) >> unused;
}

static void count_as_written(struct session *s, struct device_result *result, long long *values) {
  const struct kernel_as_written *whole = s->job->as_written;
  const char *at = map(s, BUFFER_CELLS, CL_MAP_READ);
  for (size_t i = 0; at && i < whole->batch; i++) {
    for (uint32_t k = 0; k < whole->value_count; k++) {
      const struct kernel_cell *value = &whole->values[k];
      const size_t start = s->starts[i * whole->launch->argument_count + (size_t)value->argument];
      values[k] = read_value(at + start + value->offset, value->size);
    }
    histogram_add(&result->histogram, values, 1);
  }
  unmap(s, BUFFER_CELLS, (void *)at);
}

/* ---- launches ---- */

static bool wants_more(const struct device_job *job, const struct device_result *result) {
  if (job->seconds > 0) return result->seconds < job->seconds;
  return result->launches < job->runs;
}

void opencl_run(const struct device_job *job, struct device_result *result, void (*tick)(void *context), void *context,
                struct opencl_report *report) {
  struct session s = {.job = job, .report = report, .random = job->seed};
  if (!open_device(&s) || !build(&s) || !(job->as_written ? make_parts(&s) : make_buffers(&s))) return;
  tick(context);
  result->histogram.width = device_width(job);
  long long *values = calloc(result->histogram.width + 1, sizeof *values);
  if (!values) arena_out_of_memory();
  double start = monotonic_seconds();
  while (wants_more(job, result)) {
    if (job->as_written ? !launch_as_written(&s) : !prepare(&s) || !launch_kernel(&s)) break;
    (job->as_written ? count_as_written : count)(&s, result, values);
    result->launches++;
    result->instances += job->as_written ? job->as_written->batch : tables_instances(&job->shape, &job->launch);
    result->seconds = monotonic_seconds() - start;
    tick(context);
  }
  free(values);
}

#endif
