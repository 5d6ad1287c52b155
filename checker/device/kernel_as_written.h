/* SPDX-License-Identifier: MIT */
/* Kernels in OpenCL C that a device runs as they are written: each launch is one
 * instance, with the arguments that the file's header gives, and what counts is
 * what their elements hold at the end.
 */
#ifndef LITSCOPE_DEVICE_KERNEL_AS_WRITTEN_H
#define LITSCOPE_DEVICE_KERNEL_AS_WRITTEN_H

#include "checker/base/diag.h"
#include "checker/program/kernel_launch.h"
#include "checker/program/outcome.h"

struct device_use;

struct kernel_as_written {
  const struct kernel_launch *launch;
  const char *options;              /* for the device's compiler */
  const struct kernel_cell *values; /* what counts, by observable */
  uint32_t value_count;
  uint32_t batch; /* instances that are launched before the host waits for them */
};

/* How a kernel's file is run, in `arena`.  `observables` are all locations.  Where an argument is missing, a value is
 * none that a host can read, or groups are too large, adds an error and returns NULL. */
const struct kernel_as_written *kernel_as_written_new(struct arena *arena, const struct program *program,
                                                      const struct observable *observables, unsigned count,
                                                      const struct device_use *use, struct diags *diags);

/* The program with zero in place of what may hold anything at first; *zeroed: some did. */
struct program *kernel_zeroed(struct arena *arena, const struct program *program, bool *zeroed);

#endif
