/* SPDX-License-Identifier: MIT */
/* Any bytes as a certificate: it is accepted, or wrong, or cannot be read. */
#include <stdlib.h>
#include <string.h>

#include "checker/certify/current_file.h"
#include "fuzz.h"

static void check_all(void) {
  for (const struct item *items = read_items(current.text, current.size); items; items = next_certificate(items)) {
    struct verdict verdict = {0};
    check_certificate(items, &verdict);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  current.file = "fuzz.cert";
  current.err = fuzz_nowhere();
  current.text = malloc(size + 1);
  current.size = size;
  if (!current.text) return 0;
  memcpy(current.text, data, size);
  if (!setjmp(current.end)) check_all();
  memory_free();
  free(current.text);
  return 0;
}
