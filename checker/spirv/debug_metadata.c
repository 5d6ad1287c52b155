/* SPDX-License-Identifier: MIT */
/* Nodes of metadata, `!12 = !DIBasicType(name: "int", size: 32)`, one on a line. */
#include "checker/spirv/debug_metadata.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 20, MOST_DEPTH = 32, MOST_LEAVES = 4096 };

/* `!12 = `: the number, and what comes after; NULL: this line is none. */
static const char *definition(const char *line, unsigned *number) {
  char *end;
  if (*line != '!' || !isdigit((unsigned char)line[1])) return NULL;
  unsigned long n = strtoul(line + 1, &end, 10);
  if (n >= MOST_NODES || strncmp(end, " = ", 3) != 0) return NULL;
  *number = (unsigned)n;
  end += 3;
  return strncmp(end, "distinct ", 9) ? end : end + 9;
}

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : NULL;
}

struct metadata metadata_find(struct arena *arena, const char *text) {
  struct metadata m = {.arena = arena};
  unsigned number;
  for (const char *line = text; line; line = next_line(line))
    if (definition(line, &number) && number >= m.count) m.count = number + 1;
  m.nodes = ARENA_ARRAY(arena, const char *, m.count + 1u);
  for (const char *line = text; line; line = next_line(line)) {
    const char *node = definition(line, &number);
    if (node) m.nodes[number] = node;
  }
  return m;
}

const char *metadata_field(const struct metadata *m, unsigned node, const char *name) {
  const char *at = node < m->count ? m->nodes[node] : NULL;
  size_t length = strlen(name);
  bool quoted = false;
  for (; at && *at && *at != '\n'; at++) {
    if (*at == '"') quoted = !quoted;
    if (quoted || (*at != '(' && *at != ' ')) continue;
    if (!strncmp(at + 1, name, length) && !strncmp(at + 1 + length, ": ", 2)) return at + length + 3;
  }
  return NULL;
}

unsigned metadata_node(const struct metadata *m, unsigned node, const char *name) {
  const char *field = metadata_field(m, node, name);
  return field && *field == '!' ? (unsigned)strtoul(field + 1, NULL, 10) : 0;
}

uint64_t metadata_number(const struct metadata *m, unsigned node, const char *name) {
  const char *field = metadata_field(m, node, name);
  return field ? strtoull(field, NULL, 10) : 0;
}

bool metadata_is(const struct metadata *m, unsigned node, const char *kind) {
  const char *text = node < m->count ? m->nodes[node] : NULL;
  size_t length = strlen(kind);
  return text && *text == '!' && !strncmp(text + 1, kind, length) && text[1 + length] == '(';
}

/* Scopes within scopes, up to one that names its file: what is compiled comes from standard input. */
static bool is_main_file(const struct metadata *m, unsigned scope) {
  unsigned file = metadata_node(m, scope, "file");
  const char *name = file ? metadata_field(m, file, "filename") : NULL;
  return name && (!strncmp(name, "\"<stdin>\"", 9) || !strncmp(name, "\"-\"", 3));
}

bool metadata_place(const struct metadata *m, unsigned location, unsigned *line, unsigned *column) {
  if (!metadata_is(m, location, "DILocation") || !is_main_file(m, metadata_node(m, location, "scope"))) return false;
  *line = (unsigned)metadata_number(m, location, "line");
  *column = (unsigned)metadata_number(m, location, "column");
  return *line > 0;
}

/* ---- types ---- */

struct reading {
  const struct metadata *m;
  unsigned depth;
};

static const struct kernel_type *read_type(struct reading *r, unsigned node);

static bool field_is(const struct reading *r, unsigned node, const char *name, const char *text) {
  const char *field = metadata_field(r->m, node, name);
  return field && !strncmp(field, text, strlen(text));
}

static struct kernel_type *new_type(const struct reading *r, enum type_kind kind, unsigned node) {
  return ARENA_MAKE(r->m->arena, struct kernel_type, .kind = kind,
                    .size = (unsigned)(metadata_number(r->m, node, "size") / 8));
}

static const struct kernel_type *new_scalar(const struct reading *r, enum type_kind kind, unsigned node) {
  struct kernel_type *type = new_type(r, kind, node);
  type->bits = type->size * 8;
  type->align = type->size;
  type->leaves = 1;
  return type->bits && type->bits <= 64 ? type : NULL;
}

/* The numbers of the nodes in a list, `!{!3, !4}`. */
static unsigned read_list(const struct reading *r, unsigned node, unsigned *numbers, unsigned most) {
  const char *at = node < r->m->count ? r->m->nodes[node] : NULL;
  unsigned count = 0;
  for (at = at && !strncmp(at, "!{", 2) ? at + 2 : NULL; at && *at == '!' && count < most;) {
    char *end;
    numbers[count++] = (unsigned)strtoul(at + 1, &end, 10);
    at = strncmp(end, ", ", 2) ? NULL : end + 2;
  }
  return count;
}

/* int a[2][3]: a list of subranges, outermost first. */
static const struct kernel_type *read_array(struct reading *r, unsigned node) {
  enum { MOST_DIMENSIONS = 8 };
  const struct kernel_type *element = read_type(r, metadata_node(r->m, node, "baseType"));
  bool vector = field_is(r, node, "flags", "DIFlagVector");
  unsigned ranges[MOST_DIMENSIONS];
  unsigned count = read_list(r, metadata_node(r->m, node, "elements"), ranges, MOST_DIMENSIONS);
  while (count-- > 0 && element) {
    struct kernel_type *type = new_type(r, vector ? TYPE_VECTOR : TYPE_ARRAY, node);
    uint64_t elements = metadata_number(r->m, ranges[count], "count");
    if (elements == 0 || elements > MOST_LEAVES || elements * element->leaves > MOST_LEAVES) return NULL;
    type->count = (unsigned)elements;
    type->element = element;
    type->stride = element->size;
    type->leaves = element->leaves * type->count;
    if (!vector) type->size = type->stride * type->count;
    type->align = vector ? type->size : element->align;
    element = type;
  }
  return element;
}

/* Of a union one member that has all its bytes, in as few numbers as can be: accesses by others of these sizes are the
 * same to memory. */
static unsigned keep_whole(struct reading *r, unsigned node, unsigned *members, unsigned count) {
  unsigned kept = 0, least = MOST_LEAVES + 1;
  for (unsigned i = 0; i < count; i++) {
    const struct kernel_type *type = read_type(r, metadata_node(r->m, members[i], "baseType"));
    if (!type || type->size != metadata_number(r->m, node, "size") / 8 || type->leaves >= least) continue;
    least = type->leaves;
    kept = i;
  }
  members[0] = members[kept];
  return least <= MOST_LEAVES;
}

static const struct kernel_type *read_struct(struct reading *r, unsigned node) {
  unsigned *members = ARENA_ARRAY(r->m->arena, unsigned, MOST_LEAVES);
  unsigned count = read_list(r, metadata_node(r->m, node, "elements"), members, MOST_LEAVES);
  if (field_is(r, node, "tag", "DW_TAG_union_type")) count = keep_whole(r, node, members, count);
  struct kernel_type *type = new_type(r, TYPE_STRUCT, node);
  type->count = count;
  type->align = 1;
  type->members = ARENA_ARRAY(r->m->arena, const struct kernel_type *, count + 1u);
  type->offsets = ARENA_ARRAY(r->m->arena, unsigned, count + 1u);
  type->member_names = ARENA_ARRAY(r->m->arena, const char *, count + 1u);
  for (unsigned i = 0; i < count; i++) {
    const struct kernel_type *member = read_type(r, metadata_node(r->m, members[i], "baseType"));
    if (!member || metadata_field(r->m, members[i], "flags")) return NULL;
    const char *name = metadata_field(r->m, members[i], "name");
    if (name) type->member_names[i] = arena_strndup(r->m->arena, name + 1, strcspn(name + 1, "\""));
    type->members[i] = member;
    type->offsets[i] = (unsigned)(metadata_number(r->m, members[i], "offset") / 8);
    type->leaves += member->leaves;
    if (member->align > type->align) type->align = member->align;
    if (type->leaves > MOST_LEAVES) return NULL;
  }
  if (type->size % type->align) type->align = 1; /* packed */
  return count ? type : NULL;
}

static const struct kernel_type *read_plain(struct reading *r, unsigned node) {
  const struct metadata *m = r->m;
  if (metadata_is(m, node, "DIBasicType"))
    return new_scalar(r, field_is(r, node, "encoding", "DW_ATE_float") ? TYPE_FLOAT : TYPE_INT, node);
  if (metadata_is(m, node, "DICompositeType")) {
    if (field_is(r, node, "tag", "DW_TAG_array_type")) return read_array(r, node);
    if (field_is(r, node, "tag", "DW_TAG_structure_type") || field_is(r, node, "tag", "DW_TAG_union_type"))
      return read_struct(r, node);
    return field_is(r, node, "tag", "DW_TAG_enumeration_type") ? new_scalar(r, TYPE_INT, node) : NULL;
  }
  if (!metadata_is(m, node, "DIDerivedType")) return NULL;
  if (field_is(r, node, "tag", "DW_TAG_pointer_type")) return new_scalar(r, TYPE_INT, node);
  return read_type(r, metadata_node(m, node, "baseType"));
}

static const struct kernel_type *read_type(struct reading *r, unsigned node) {
  if (!node || r->depth == MOST_DEPTH) return NULL;
  r->depth++;
  const struct kernel_type *type = read_plain(r, node);
  r->depth--;
  return type;
}

const struct kernel_type *metadata_type(const struct metadata *m, unsigned node) {
  return read_type(&(struct reading){.m = m}, node);
}
