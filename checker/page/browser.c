/* SPDX-License-Identifier: MIT */
/* Functions of the C library that Emscripten's lacks: those that could do nothing in
 * a browser say so, as the system would. */
#include "checker/page/browser.h"

#include <errno.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/types.h>

/* One thread sorts at a time, and no comparison sorts. */
static struct {
  int (*compare)(const void *a, const void *b, void *context);
  void *context;
} sorting;

static int compare_both(const void *a, const void *b) {
  return sorting.compare(a, b, sorting.context);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
             void *context) {
  sorting.compare = compare;
  sorting.context = context;
  qsort(base, count, size, compare_both);
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  (void)pid;
  (void)size;
  (void)set;
  errno = ENOSYS;
  return -1;
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
  (void)size;
  (void)set;
  return 1;
}

ssize_t tee(int in, int out, size_t size, unsigned flags) {
  (void)in;
  (void)out;
  (void)size;
  (void)flags;
  errno = ENOSYS;
  return -1;
}

int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
                 char *const *restrict environment) {
  (void)pid;
  (void)file;
  (void)actions;
  (void)attributes;
  (void)argv;
  (void)environment;
  return ENOSYS;
}
