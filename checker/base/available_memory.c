/* SPDX-License-Identifier: MIT */
/* Control groups limit memory in a file of each group, the limit of one above holding
 * too (Linux, admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst). */
#include "checker/base/available_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 4096 };

/* The number in a file; none, or `max`: no limit. */
static uint64_t limit_in(const char *path) {
  uint64_t limit = UINT64_MAX;
  FILE *in = fopen(path, "r");
  if (in && fscanf(in, "%" SCNu64, &limit) != 1) limit = UINT64_MAX;
  if (in) fclose(in);
  return limit;
}

/* The least limit of a group and of those above it. */
static uint64_t group_limit(const char *root, const char *folder, char *group, const char *file) {
  uint64_t least = UINT64_MAX;
  for (;;) {
    char path[2 * MOST_PATH];
    snprintf(path, sizeof path, "%s%s%s/%s", root, folder, group, file);
    uint64_t limit = limit_in(path);
    if (limit < least) least = limit;
    char *end = strrchr(group, '/');
    if (!end) return least;
    *end = '\0';
  }
}

/* A line of /proc/self/cgroup is `NUMBER:CONTROLLERS:GROUP`; version 2 has no controllers. */
static uint64_t line_limit(const char *root, char *line) {
  char *controllers = strchr(line, ':'), *group = controllers ? strchr(++controllers, ':') : NULL;
  if (!group) return UINT64_MAX;
  *group++ = '\0';
  group[strcspn(group, "\n")] = '\0';
  if (!*controllers) return group_limit(root, "/sys/fs/cgroup", group, "memory.max");
  if (strcmp(controllers, "memory") != 0) return UINT64_MAX;
  return group_limit(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
}

uint64_t memory_bytes(const char *root) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t least = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
  char path[MOST_PATH], line[MOST_PATH];
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *in = fopen(path, "r");
  while (in && fgets(line, sizeof line, in)) {
    uint64_t limit = line_limit(root, line);
    if (limit < least) least = limit;
  }
  if (in) fclose(in);
  return least == UINT64_MAX ? 0 : least;
}
