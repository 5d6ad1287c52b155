/* SPDX-License-Identifier: MIT */
/* Does a test fit a device?  Asked before anything is built. */
#ifndef LITSCOPE_DEVICE_FITS_DEVICE_H
#define LITSCOPE_DEVICE_FITS_DEVICE_H

#include "checker/device/device.h"

/* What a device is to run. */
struct fitted {
  struct kernel_options options;
  struct table_shape shape;
  struct launch launch;
  bool partly; /* the device runs fewer work-groups at once than an instance has: the rest come later */
};

/* Settings of 0 become what suits the device.  On what the device does not offer (orders, scopes, sub-groups, 64-bit
 * atomics, memory) adds errors and returns false. */
bool fit(const struct layout *layout, const char *name, const struct device_use *use, struct fitted *fitted,
         struct diags *diags);

/* What a test needs, as words: `relaxed and seq_cst atomic operations at device scope, 2 work-groups`. */
const char *fit_needs(struct arena *arena, const struct layout *layout);

/* Names of the orders or scopes of a set, separated by spaces; "none". */
const char *fit_orders(struct arena *arena, uint32_t orders);
const char *fit_scopes(struct arena *arena, uint32_t scopes);

#endif
