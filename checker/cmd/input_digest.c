/* SPDX-License-Identifier: MIT */
/* Models, mappings, machines and lists have been read before work is divided: whatever was, in its order, by option or
 * by default.  Tests are read part by part, and compilers are known by what they call themselves. */
#include "checker/cmd/input_digest.h"

#include <string.h>

#include "checker/base/infile.h"
#include "checker/base/md5.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/test_files.h"

struct contents {
  const struct invocation *call;
  VEC(unsigned char) digests;
};

static void add_text(struct contents *c, const char *text, size_t size) {
  unsigned char digest[MD5_SIZE];
  md5(text, size, digest);
  for (size_t i = 0; i < MD5_SIZE; i++) *vec_push(c->call->arena, &c->digests) = digest[i];
}

static void add_file(void *context, const char *path) {
  struct contents *c = context;
  /* What is merged has been read too, and is not what the command reads. */
  if (text_is_one_of(path, c->call->merged)) return;
  struct arena *own = arena_new();
  struct diags quiet = diags_new(own);
  const struct source *source = source_read(own, path, &quiet);
  add_text(c, source ? source->text : "", source ? source->size : 0);
  arena_free(own);
}

static void add_tests(struct contents *c) {
  const struct files *files = c->call->tests;
  for (size_t i = 0; files && i < files->count; i++) {
    const struct source *source = files->sources[i];
    if (source)
      add_text(c, source->text, source->size);
    else
      add_file(c, files->at[i]);
  }
}

const char *contents_digest(const struct invocation *call) {
  struct contents c = {.call = call};
  infile_each_read(add_file, &c);
  add_tests(&c);
  for (size_t i = 0; i < call->compilers.count; i++) add_text(&c, call->compilers.at[i], strlen(call->compilers.at[i]));
  unsigned char whole[MD5_SIZE];
  md5(c.digests.at, c.digests.count, whole);
  char *text = arena_alloc(call->arena, 2 * MD5_SIZE + 1);
  for (size_t i = 0; i < MD5_SIZE; i++) {
    text[2 * i] = "0123456789abcdef"[whole[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[whole[i] & 15];
  }
  return text;
}
