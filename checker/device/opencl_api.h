/* SPDX-License-Identifier: MIT */
/* The calls of OpenCL that device.c makes in a child process. */
#ifndef LITSCOPE_DEVICE_OPENCL_API_H
#define LITSCOPE_DEVICE_OPENCL_API_H

#include "checker/device/device.h"

enum { OPENCL_MESSAGE = 16384 };

/* What a call came to; `message` ends in a NUL. */
struct opencl_report {
  enum device_end end; /* DEVICE_DONE, DEVICE_BUILD or DEVICE_FAILED */
  char message[OPENCL_MESSAGE];
};

/* Writes at most `room` devices to `facts`; returns how many there are. */
size_t opencl_list(struct device_facts *facts, size_t room, struct opencl_report *report);

/* Runs the job on one device, without its limits of time for a launch: `tick` is
 * called when the kernel is built, and after each launch. */
void opencl_run(const struct device_job *job, struct device_result *result, void (*tick)(void *context), void *context,
                struct opencl_report *report);

#endif
