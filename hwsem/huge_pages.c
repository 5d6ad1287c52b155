/* SPDX-License-Identifier: MIT */
/* Large tables in huge pages. */
#include "hwsem/huge_pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21 };

static size_t whole(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

void *pages_allocate(size_t alignment, size_t bytes) {
  if (bytes < HUGE_PAGE) return aligned_alloc(alignment, whole(bytes, alignment));
  bytes = whole(bytes, HUGE_PAGE);
  void *memory = aligned_alloc(HUGE_PAGE, bytes);
  if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void pages_populate(void *memory, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (bytes >= HUGE_PAGE) madvise(memory, whole(bytes, HUGE_PAGE), MADV_POPULATE_WRITE);
#else
  (void)memory, (void)bytes;
#endif
}
