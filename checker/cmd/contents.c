/* SPDX-License-Identifier: MIT */
/* Files are digested one by one, in the order in which the call names them; a model, the
 * first time, is followed by what it includes. */
#include "checker/cmd/contents.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/md5.h"
#include "checker/base/vec.h"
#include "checker/cat/find.h"
#include "checker/cmd/files.h"

struct contents {
  const struct invocation *call;
  struct arena *arena;
  struct cat_search search;
  VEC(const char *) models; /* that were met */
  VEC(unsigned char) digests;
};

static bool is_new(struct contents *c, const char *path) {
  for (size_t i = 0; i < c->models.count; i++)
    if (!strcmp(c->models.at[i], path)) return false;
  *vec_push(c->arena, &c->models) = path;
  return true;
}

static void add_file(struct contents *c, const char *path);

/* Every `include "NAME"` of a model, in whatever place. */
static void add_includes(struct contents *c, const char *path, const char *text) {
  static const char WORD[] = "include";
  for (const char *at = text; (at = strstr(at, WORD));) {
    at += strlen(WORD);
    const char *name = at + strspn(at, " \t\r\n"), *end = *name == '"' ? strchr(name + 1, '"') : NULL;
    if (!end) continue;
    const char *included =
        find_include(c->arena, &c->search, path, arena_strndup(c->arena, name + 1, (size_t)(end - name - 1)));
    if (included && is_new(c, included)) add_file(c, included);
  }
}

static bool is_model_file(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".cat") || !strcmp(dot, ".bell"));
}

static void add_file(struct contents *c, const char *path) {
  struct arena *own = arena_new();
  struct diags quiet = diags_new(own);
  const struct source *source = source_read(own, path, &quiet);
  unsigned char digest[MD5_SIZE];
  md5(source ? source->text : "", source ? source->size : 0, digest);
  for (size_t i = 0; i < MD5_SIZE; i++) *vec_push(c->arena, &c->digests) = digest[i];
  if (source && is_model_file(path)) add_includes(c, path, source->text);
  arena_free(own);
}

/* A model by name or path, with :WORDs and -CHECKs behind it or not. */
static void add_model(struct contents *c, const char *name) {
  const char *path = find_model(c->arena, &c->search, name);
  if (path) {
    if (is_new(c, path)) add_file(c, path);
    return;
  }
  const char *end = strrchr(name, ':') ? strrchr(name, ':') : strrchr(name, '-');
  if (end) add_model(c, arena_strndup(c->arena, name, (size_t)(end - name)));
}

static void add_option(struct contents *c, enum option_id id, const char *kind, const char *suffix) {
  size_t count;
  const char **words = option_words(c->call, id, &count);
  for (size_t i = 0; i < count; i++) {
    const char *path = search_file(c->call, kind, words[i], suffix);
    if (path) add_file(c, path);
  }
}

static void add_tests(struct contents *c) {
  struct files files = {0};
  struct diags quiet = diags_new(c->arena);
  if (c->call->word_count == 0 || !files_list(c->call, &files, &quiet)) return;
  for (size_t i = 0; i < files.count; i++) add_file(c, files.at[i]);
}

const char *contents_digest(const struct invocation *call) {
  struct contents c = {.call = call, .arena = call->arena};
  size_t count;
  c.search.folders = search_folders(call, "models", &count);
  c.search.folder_count = (unsigned)count;
  add_tests(&c);
  static const enum option_id models[] = {OPTION_MODEL, OPTION_TARGET_MODEL};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    const char **names = option_words(call, models[k], &count);
    for (size_t i = 0; i < count; i++) add_model(&c, names[i]);
  }
  add_option(&c, OPTION_BELL, "models", ".bell");
  add_option(&c, OPTION_MACROS, "models", ".def");
  add_option(&c, OPTION_CONF, "models", ".cfg");
  add_option(&c, OPTION_MAPPING, "mappings", ".xml");
  add_option(&c, OPTION_MACHINE, "mappings", ".xml");
  add_option(&c, OPTION_PRICE, "mappings", ".xml");
  const char *family = option_text(call, OPTION_EXHAUSTIVE);
  if (!family && option_given(call, OPTION_TARGET)) family = option_text(call, OPTION_SYNTH_FAMILY);
  if (family && access(family, R_OK) == 0) add_file(&c, family);
  static const enum option_id lists[] = {OPTION_NAMES, OPTION_EXCL, OPTION_RENAME, OPTION_KINDS, OPTION_CONDS};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    const char **names = option_words(call, lists[k], &count);
    for (size_t i = 0; i < count; i++) add_file(&c, names[i]);
  }
  unsigned char whole[MD5_SIZE];
  md5(c.digests.at, c.digests.count, whole);
  char *text = arena_alloc(call->arena, 2 * MD5_SIZE + 1);
  for (size_t i = 0; i < MD5_SIZE; i++) {
    text[2 * i] = "0123456789abcdef"[whole[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[whole[i] & 15];
  }
  return text;
}
