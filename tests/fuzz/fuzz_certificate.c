/* SPDX-License-Identifier: MIT */
/* Any bytes as a certificate: it is accepted, or wrong, or cannot be read. */
#include <stdlib.h>
#include <string.h>

#include "checker/certify/turn.h"
#include "fuzz.h"

static void check_all(void) {
  for (const struct item *items = read_items(turn.text, turn.size); items; items = next_certificate(items)) {
    struct verdict verdict = {0};
    check_certificate(items, &verdict);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  turn.file = "fuzz.cert";
  turn.err = fuzz_nowhere();
  turn.text = malloc(size + 1);
  turn.size = size;
  if (!turn.text) return 0;
  memcpy(turn.text, data, size);
  if (!setjmp(turn.end)) check_all();
  memory_free();
  free(turn.text);
  return 0;
}
