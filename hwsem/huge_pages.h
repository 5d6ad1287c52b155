/* SPDX-License-Identifier: MIT */
/* Memory for tables. */
#ifndef LITSCOPE_HWSEM_HUGE_PAGES_H
#define LITSCOPE_HWSEM_HUGE_PAGES_H

#include <stddef.h>

/* Memory that is met at random, not cleared; free() frees it.  Huge pages, where it is large
 * enough for them, spare it most of the misses of address translation.  NULL: no memory. */
void *pages_allocate(size_t alignment, size_t bytes);

/* Has the system provide the memory now and not as it is first touched, where it can.  Others may be using it. */
void pages_populate(void *memory, size_t bytes);

#endif
