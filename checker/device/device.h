/* SPDX-License-Identifier: MIT */
/* OpenCL devices: what there is, and running a kernel on one.
 *
 * OpenCL's loader (libOpenCL.so.1) is opened at run time: a litscope that was
 * built with OpenCL's headers starts everywhere, and says what is missing where
 * there is no loader or no driver; one built without says so.
 *
 * Everything that calls a driver happens in a child process, which is ended when
 * a launch takes too long and whose crash is a message.  The caller must be
 * single-threaded at that time.
 */
#ifndef LITSCOPE_DEVICE_DEVICE_H
#define LITSCOPE_DEVICE_DEVICE_H

#include "checker/base/arena.h"
#define TABLES_OUT_OF_MEMORY() arena_out_of_memory()
#include "checker/base/limit.h"
#include "checker/device/hosts/tables.h"
#include "checker/device/kernel_as_written.h"
#include "checker/device/kernel_writer.h"
#include "checker/device/stress_settings.h"

/* What a device says of itself. */
struct device_facts {
  char platform[128], name[160], version[128];
  uint32_t usable;                     /* OpenCL 2.0 or later, with atomics: tests run on it */
  uint32_t is_cpu;                     /* a processor: few lanes, work-items of a group one after the other */
  uint32_t units;                      /* compute units */
  uint32_t group_items;                /* most work-items of a work-group */
  uint32_t sub_groups;                 /* most sub-groups of a work-group; 0: it has none */
  uint32_t sub_group;                  /* work-items of one, where known; else 0 */
  uint32_t wide;                       /* 64-bit atomics */
  uint32_t svm;                        /* bits of CL_DEVICE_SVM_CAPABILITIES */
  uint32_t orders, scopes;             /* of atomic operations: one bit for each enum order and enum scope */
  uint32_t fence_orders, fence_scopes; /* of fences */
  uint64_t local_bytes, allocation_bytes;
};

/* What is wanted of a device. */
struct device_use {
  const struct device_facts *facts;
  const struct settings *settings;
  uint32_t instances; /* of a launch */
};

/* The devices of all platforms, in the arena.  On failure (no OpenCL, no loader,
 * no platform, a driver that ends the process) adds an error and returns NULL. */
struct device_facts *device_list(struct arena *arena, size_t *count, struct diags *diags);

struct device_job {
  unsigned device; /* index in device_list's order */
  const char *kernel;
  const struct kernel_as_written *as_written; /* NULL: the kernel is one of tests, and what follows says how */
  struct table_shape shape;
  struct launch launch;
  const long long *initial; /* of shape.cells cells */
  uint64_t seed;
  uint32_t runs;  /* launches; 0: as many as fit in `seconds` */
  double seconds; /* 0: `runs` of them */
  double timeout; /* for one launch, in seconds */
  const atomic_int *cancel;
};

enum device_end {
  DEVICE_DONE,
  DEVICE_TIMEOUT, /* a launch did not end in time */
  DEVICE_CANCELLED,
  DEVICE_BUILD, /* the driver's compiler refused the kernel: `message` is its log */
  DEVICE_FAILED /* `message` says what failed */
};

struct device_result {
  enum device_end end;
  const char *message;
  struct histogram histogram; /* outcomes in the arena: values by shape.results, then cells; or by as_written->values */
  uint64_t instances, launches;
  double seconds; /* of the launches, with their preparation and counting */
};

/* Values of an outcome. */
static inline uint32_t device_width(const struct device_job *job) {
  return job->as_written ? job->as_written->value_count : job->shape.results + job->shape.cells;
}

/* Runs it; the result lives in the arena. */
struct device_result device_run(struct arena *arena, const struct device_job *job);

#endif
