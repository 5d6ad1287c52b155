/* SPDX-License-Identifier: MIT */
/* The gauge; see progress_gauge.h. */
#include "checker/base/progress_gauge.h"

#include <stdatomic.h>
#include <stddef.h>

#include "checker/base/clock.h"

static struct {
  _Atomic uint64_t steps, count;
  _Atomic(const char *) steps_name, count_name;
  _Atomic double share, start;
} now;

void gauge_ask(void) {
  atomic_store_explicit(&now.share, 0, memory_order_relaxed);
  atomic_store_explicit(&now.count_name, NULL, memory_order_relaxed);
  atomic_store_explicit(&now.start, monotonic_seconds(), memory_order_relaxed);
}

void gauge_share(double share) {
  atomic_store_explicit(&now.share, share, memory_order_relaxed);
}

void gauge_count(uint64_t count, const char *name) {
  atomic_store_explicit(&now.count, count, memory_order_relaxed);
  atomic_store_explicit(&now.count_name, name, memory_order_relaxed);
}

void gauge_steps(uint64_t steps, const char *name) {
  atomic_store_explicit(&now.steps, steps, memory_order_relaxed);
  atomic_store_explicit(&now.steps_name, name, memory_order_relaxed);
}

struct gauge gauge_read(void) {
  double start = atomic_load_explicit(&now.start, memory_order_relaxed);
  return (struct gauge){.steps = atomic_load_explicit(&now.steps, memory_order_relaxed),
                        .steps_name = atomic_load_explicit(&now.steps_name, memory_order_relaxed),
                        .count = atomic_load_explicit(&now.count, memory_order_relaxed),
                        .count_name = atomic_load_explicit(&now.count_name, memory_order_relaxed),
                        .share = atomic_load_explicit(&now.share, memory_order_relaxed),
                        .seconds = start > 0 ? monotonic_seconds() - start : 0};
}
