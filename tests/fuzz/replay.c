/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target on files. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static const size_t LIMIT = 16u << 20;

int main(int argc, char **argv) {
  uint8_t *data = malloc(LIMIT);
  if (!data) return 2;
  for (int i = 1; i < argc; i++) {
    FILE *in = fopen(argv[i], "rb");
    if (!in) {
      perror(argv[i]);
      free(data);
      return 2;
    }
    size_t size = fread(data, 1, LIMIT, in);
    fclose(in);
    LLVMFuzzerTestOneInput(data, size);
  }
  free(data);
  return 0;
}
