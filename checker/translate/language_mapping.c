/* SPDX-License-Identifier: MIT */
/* Reading of mappings to languages: the schema has checked the shape; what is
 * left is that an operation does its own access once. */
#include "checker/translate/language_mapping.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/mapping_cell.h"

struct reader {
  struct arena *arena;
  const struct xml_file *file;
  struct diags *diags;
  struct language_mapping *mapping;
  VEC(struct language_cell) cells;
  VEC(struct language_failure) failures;
};

static const struct {
  const char *word;
  enum litmus_language language;
} LANGUAGE_WORDS[] = {{"OpenCL", LANG_OPENCL}, {"C", LANG_C}, {"PTX", LANG_PTX}, {"Vulkan", LANG_VULKAN}};

static enum litmus_language language_of(const char *word) {
  unsigned i = 0;
  while (i + 1 < ARRAY_COUNT(LANGUAGE_WORDS) && strcmp(LANGUAGE_WORDS[i].word, word) != 0) i++;
  return LANGUAGE_WORDS[i].language;
}

static void read_head(struct reader *r) {
  const struct xml_node *root = r->file->root;
  r->mapping->name = xml_value(root, "name");
  r->mapping->to = language_of(xml_value(root, "to"));
  for (const char **word = text_split(r->arena, xml_value(root, "from"), XML_BLANKS, NULL); *word; word++)
    r->mapping->from[language_of(*word)] = true;
}

static void read_scope(struct reader *r, const struct xml_node *node) {
  static const char *const NAMES[] = {"none", "wi", "sg", "wg", "qf", "dev", "sys"};
  const char *name = xml_value(node, "name");
  for (unsigned i = 0; i < ARRAY_COUNT(NAMES); i++)
    if (!strcmp(NAMES[i], name)) r->mapping->scopes[i] = xml_value(node, "word");
}

static void read_update(struct reader *r, const struct xml_node *node) {
  const char *name = xml_value(node, "name"), *word = xml_value(node, "word");
  if (!strcmp(name, "compare_exchange")) r->mapping->swap = word;
  for (int i = 0; i < RMW_OPS; i++)
    if (!strcmp(rmw_name((enum rmw_op)i), name)) r->mapping->updates[i] = word;
}

/* An operation does its own access once, and only a barrier meets. */
static void check_cell(struct reader *r, const struct xml_node *node, const struct language_cell *cell) {
  unsigned found[] = {[LANGUAGE_FENCE] = 0, [LANGUAGE_ACCESS] = 0, [LANGUAGE_MEET] = 0};
  for (unsigned i = 0; i < cell->step_count; i++) found[cell->steps[i].kind]++;
  unsigned accesses = mapping_kind_is_access(cell->serves.kind), meets = cell->serves.kind == MAP_BARRIER;
  const char *kind = mapping_kind_name(cell->serves.kind);
  if (found[LANGUAGE_ACCESS] != accesses)
    diag_error(r->diags, r->file->source, xml_span(r->file, node), "a %s has %s <access>, but %u found here", kind,
               accesses ? "exactly one" : "no", found[LANGUAGE_ACCESS]);
  if (found[LANGUAGE_MEET] != meets)
    diag_error(r->diags, r->file->source, xml_span(r->file, node), "a %s has %s <meet>, but %u found here", kind,
               meets ? "exactly one" : "no", found[LANGUAGE_MEET]);
}

static void read_cell(struct reader *r, const struct xml_node *node) {
  struct language_cell cell = {.serves = mapping_cell_read(r->arena, r->file, node)};
  VEC(struct language_step) steps = {0};
  for (const struct xml_node *step = xml_first(node); step; step = xml_next(step)) {
    enum language_step_kind kind = xml_is(step, "access") ? LANGUAGE_ACCESS
                                   : xml_is(step, "meet") ? LANGUAGE_MEET
                                                          : LANGUAGE_FENCE;
    *vec_push(r->arena, &steps) = (struct language_step){kind, xml_value(step, "words")};
  }
  cell.step_count = (unsigned)steps.count;
  cell.steps = steps.at;
  check_cell(r, node, &cell);
  *vec_push(r->arena, &r->cells) = cell;
}

static void read_element(struct reader *r, const struct xml_node *node) {
  if (xml_is(node, "title"))
    r->mapping->title = xml_text(r->arena, node);
  else if (xml_is(node, "scope"))
    read_scope(r, node);
  else if (xml_is(node, "update"))
    read_update(r, node);
  else if (xml_is(node, "operation"))
    read_cell(r, node);
  else if (xml_is(node, "failure"))
    *vec_push(r->arena, &r->failures) =
        (struct language_failure){mapping_cell_read(r->arena, r->file, node), xml_value(node, "words")};
}

struct language_mapping *language_load(struct arena *arena, const char *name, const struct xml_folders *search,
                                       struct diags *diags) {
  struct xml_file file;
  size_t before = diags->errors;
  if (!xml_open(arena, name, (struct xml_kind){"translation.rng", "translation"}, search, &file, diags)) return NULL;
  struct reader r = {.arena = arena, .file = &file, .diags = diags};
  r.mapping = ARENA_NEW(arena, struct language_mapping);
  r.mapping->source = file.source;
  read_head(&r);
  for (const struct xml_node *node = xml_first(file.root); node; node = xml_next(node)) read_element(&r, node);
  r.mapping->cells = r.cells.at;
  r.mapping->cell_count = (unsigned)r.cells.count;
  r.mapping->failures = r.failures.at;
  r.mapping->failure_count = (unsigned)r.failures.count;
  return diags->errors == before ? r.mapping : NULL;
}

const struct language_cell *language_find(const struct language_mapping *mapping, struct mapping_key key) {
  for (unsigned i = 0; i < mapping->cell_count; i++)
    if (mapping_cell_matches(&mapping->cells[i].serves, key)) return &mapping->cells[i];
  return NULL;
}

const char *language_find_failure(const struct language_mapping *mapping, struct mapping_key key) {
  for (unsigned i = 0; i < mapping->failure_count; i++)
    if (mapping_cell_matches(&mapping->failures[i].serves, key)) return mapping->failures[i].words;
  return NULL;
}
