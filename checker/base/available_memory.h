/* SPDX-License-Identifier: MIT */
/* How much memory is available: what searches without a limit of their own
 * keep to. */
#ifndef LITSCOPE_BASE_AVAILABLE_MEMORY_H
#define LITSCOPE_BASE_AVAILABLE_MEMORY_H

#include <stdint.h>

/* Bytes of the machine, or of the control group that this process is in, if that has
 * fewer (containers, batch systems); 0: not known.  `root`: where the system's files
 * are, "" but in tests. */
uint64_t memory_bytes(const char *root);

#endif
