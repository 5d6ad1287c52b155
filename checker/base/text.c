/* SPDX-License-Identifier: MIT */
/* Printing to memory. Running out of it ends the process, as it does in
 * arenas: half a text would be taken for the whole. */
#include "checker/base/text.h"

#include <stdbool.h>
#include <stdlib.h>

void text_open(struct text *text) {
  *text = (struct text){0};
  text->out = open_memstream(&text->at, &text->size);
  if (!text->out) arena_out_of_memory();
}

void text_end(struct text *text) {
  bool failed = ferror(text->out);
  if (fclose(text->out) != 0 || failed) arena_out_of_memory();
}

void text_free(struct text *text) {
  free(text->at);
}

char *text_keep(struct text *text, struct arena *arena) {
  text_end(text);
  char *kept = arena_strndup(arena, text->at, text->size);
  text_free(text);
  return kept;
}
