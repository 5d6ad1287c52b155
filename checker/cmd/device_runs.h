/* SPDX-License-Identifier: MIT */
/* Running tests on a device, as `run` and `report` do it. */
#ifndef LITSCOPE_CMD_DEVICE_RUNS_H
#define LITSCOPE_CMD_DEVICE_RUNS_H

#include "checker/base/limit.h"
#include "checker/cmd/command.h"
#include "checker/cmd/each_test.h"
#include "checker/device/fits_device.h"
#include "checker/report/histogram.h"

/* A device and how tests are run on it. */
struct device_setup {
  unsigned index;
  const struct device_facts *facts;
  struct settings settings;
  uint32_t instances, runs;
  double seconds, timeout;
  uint64_t seed;
  bool drop_remote, one_device, weaken;
  bool rewrite;            /* kernels run as litmus tests do */
  enum layout_words words; /* tests of Vulkan or of PTX are laid out, too */
  const atomic_int *cancel;
};

/* Reads -device, -n, -runs, -time, -timeout, -seed, -stress, -params,
 * -params-file, -drop-remote, -one-device, -mutate and -rewrite.  On failure adds errors and returns
 * false. */
bool device_setup_load(struct invocation *call, struct device_setup *setup, struct diags *diags);

/* Asks for the devices and takes -device's; where there is none, adds an error
 * and returns false. */
bool device_setup_open(struct invocation *call, struct device_setup *setup, struct diags *diags);

/* A test on its way to a device. */
struct device_test {
  const struct litmus_test *test; /* as it is run: changed by -drop-remote and -one-device */
  struct layout *layout;          /* with -mutate, of a weaker program */
  unsigned dropped;               /* remote operations that are ordinary now */
  unsigned moved;                 /* threads that were on other devices */
  struct fitted fitted;
  const char *kernel;                         /* its text in OpenCL C */
  const struct kernel_as_written *as_written; /* a kernel that is run as it is, without a layout; else NULL */
  bool zeroed;                                /* what may hold anything at first is zero there */
};

/* Plans, fits and writes the kernel.  On failure adds errors, returns false. */
bool device_test_make(const struct device_setup *setup, const struct litmus_test *test, struct arena *arena,
                      struct device_test *made, struct diags *diags);

/* Plans only: for emitting, and for what tests need. */
bool device_test_lay_out(const struct device_setup *setup, const struct litmus_test *test, struct arena *arena,
                         struct device_test *made, struct diags *diags);

/* A set for what it shows. */
struct seen *device_test_seen(const struct device_test *made, struct arena *arena);

/* Runs it and counts what it shows into `seen`.  DEVICE_DONE, or the result says why not. */
struct device_result device_test_run(const struct device_setup *setup, const struct device_test *made,
                                     struct arena *arena, struct seen *seen);

/* How it was run, for the log. */
struct histogram_run device_test_histogram(const struct device_setup *setup, const struct device_test *made,
                                           const struct device_result *result, struct arena *arena);

/* Why a test has no result, as words; DEVICE_DONE: "". */
const char *device_end_text(struct arena *arena, const struct device_setup *setup, const struct device_result *result);

/* By violation, of as many as a log tells: why the model forbids it. */
const char *const *device_reasons(const struct seen *seen, const struct cat_model *model,
                                  const struct enumerate_options *options, struct arena *arena);

/* Initial values of a layout's cells, by cell. */
const long long *device_initial(struct arena *arena, const struct layout *layout);

#endif
