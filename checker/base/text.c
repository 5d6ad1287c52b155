/* SPDX-License-Identifier: MIT */
/* Text in memory by the C library's streams, which need a place of their own to
 * write to: the guard may end them when their function is gone. */
#include "checker/base/text.h"

#include <stdbool.h>
#include <stdlib.h>

#include "checker/base/guard.h"

struct text_stream {
  FILE *out; /* NULL: ended */
  char *at;
  size_t size;
  struct guarded guarded;
};

static void free_stream(void *object) {
  struct text_stream *stream = object;
  if (stream->out) fclose(stream->out);
  free(stream->at);
  free(stream);
}

void text_open(struct text *text) {
  struct text_stream *stream = guard_must(calloc(1, sizeof *stream));
  guard_own(&stream->guarded, free_stream, stream);
  stream->out = guard_must(open_memstream(&stream->at, &stream->size));
  *text = (struct text){.out = stream->out, .stream = stream};
}

void text_end(struct text *text) {
  struct text_stream *stream = text->stream;
  bool failed = ferror(stream->out);
  failed |= fclose(stream->out) != 0;
  stream->out = text->out = NULL;
  if (failed) guard_out_of_memory();
  text->at = stream->at;
  text->size = stream->size;
}

void text_free(struct text *text) {
  guard_disown(&text->stream->guarded);
  free_stream(text->stream);
}

char *text_keep(struct text *text, struct arena *arena) {
  text_end(text);
  char *kept = arena_strndup(arena, text->at, text->size);
  text_free(text);
  return kept;
}
