/* SPDX-License-Identifier: MIT */
/* Families, generated in a fixed order. */
#include "checker/verify/families.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/notation.h"
#include "checker/verify/small.h"

struct filling {
  struct arena *arena;
  struct family *family;
};

static void add(struct filling *f, const char *kind, const char *groups, const char *text) {
  *vec_push(f->arena, f->family) = (struct family_program){kind, groups, text};
}

static unsigned size_of(const struct family_program *program) {
  unsigned size = 0;
  for (const char *c = program->text; *c; c++) size += isupper((unsigned char)*c) != 0;
  return size;
}

int family_compare(const struct family_program *a, const struct family_program *b) {
  unsigned x = size_of(a), y = size_of(b);
  return x != y ? (x < y ? -1 : 1) : strcmp(a->text, b->text);
}

/* ---- 2x2 ---- */

static bool has_remote(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (strchr("DS", p->ops[t][i].scope)) return true;
  return false;
}

static bool add_small(void *context, const struct small_program *p) {
  static const char LOCATIONS[] = "xyzuvw";
  struct filling *f = context;
  struct text text;
  if (has_remote(p)) return true;
  text_open(&text);
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputs(" | ", text.out);
    for (unsigned i = 0; i < p->count[t]; i++)
      fprintf(text.out, "%s%c%c%c", i ? " " : "", p->ops[t][i].kind, LOCATIONS[p->ops[t][i].location],
              p->ops[t][i].scope);
  }
  add(f, NULL, p->wg[0] == p->wg[1] ? "0,0" : "0,1", text_keep(&text, f->arena));
  return true;
}

static void fill_2x2(struct filling *f) {
  struct small_family family = {.threads = 2, .ops = 2, .devices = 1};
  small_generate(&family, add_small, f);
}

/* ---- G2 ---- */

static void fill_g2(struct filling *f) {
  static const char *const ANY[] = {"Wxn", "Wxw", "Wxd", "Rxn", "Rxw", "Rxd", "Uxw", "Uxd",
                                    "Wyn", "Wyw", "Wyd", "Ryn", "Ryw", "Ryd", "Uyw", "Uyd"};
  static const char *const RELEASE[] = {"Wyw", "Wyd", "Uyw", "Uyd"}, *const ACQUIRE[] = {"Ryw", "Ryd", "Uyw", "Uyd"};
  static const char *const GROUPS[] = {"0,0", "0,1"};
  for (unsigned a = 0; a < 16; a++)
    for (unsigned b = 0; b < 4; b++)
      for (unsigned c = 0; c < 4; c++)
        for (unsigned d = 0; d < 8; d++)
          for (unsigned g = 0; g < 2; g++)
            add(f, NULL, GROUPS[g], arena_printf(f->arena, "%s %s | %s ! %s", ANY[a], RELEASE[b], ACQUIRE[c], ANY[d]));
}

/* ---- files ---- */

static bool fill_file(struct filling *f, const char *path, struct diags *diags) {
  const struct source *source = source_read(f->arena, path, diags);
  for (size_t at = 0; source && at < source->size;) {
    size_t length = strcspn(source->text + at, "\n");
    const char *line = arena_strndup(f->arena, source->text + at, length), *tab = strchr(line, '\t'), *stop = "";
    struct span span = {(uint32_t)at, (uint32_t)length};
    at += length + 1;
    if (!*line || *line == '#') continue;
    const char *groups = tab ? arena_strndup(f->arena, line, (size_t)(tab - line)) : "";
    if (!tab || !notation_test(f->arena, tab + 1, groups, &stop)) {
      diag_error(diags, source, span,
                 "no program of a family: expected work-groups, a tab, and operations such as Wxn Wyd "
                 "| Ryd ! Rxn%s%s",
                 *stop ? "; not understood from: " : "", stop);
      return false;
    }
    add(f, NULL, groups, tab + 1);
  }
  return source != NULL;
}

static const struct {
  const char *name;
  void (*fill)(struct filling *f);
} FAMILIES[] = {{"2x2", fill_2x2}, {"G2", fill_g2}};

bool family_known(const char *name) {
  for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
    if (!strcmp(FAMILIES[i].name, name)) return true;
  return access(name, F_OK) == 0;
}

bool family_load(struct arena *arena, const char *name, struct family *family, struct diags *diags) {
  struct filling f = {arena, family};
  *family = (struct family){.name = name};
  for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++) {
    if (strcmp(FAMILIES[i].name, name) != 0) continue;
    FAMILIES[i].fill(&f);
    return true;
  }
  return fill_file(&f, name, diags);
}
