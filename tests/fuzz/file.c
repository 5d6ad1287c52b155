/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

void fuzz_file(const uint8_t *data, size_t size, int *file, char path[64]) {
  *file = memfd_create("fuzz", 0);
  if (*file < 0 || write(*file, data, size) != (ssize_t)size) abort();
  snprintf(path, 64, "/proc/self/fd/%d", *file);
}

FILE *fuzz_nowhere(void) {
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  if (!nowhere) abort();
  return nowhere;
}
