/* SPDX-License-Identifier: MIT */
/* Compilers declare structures as bytes, so that only the kernel's loads say which members they have, and where. */
#include "checker/ptx/structures.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"

/* A load of a part of the parameter. */
struct part {
  uint64_t offset;
  unsigned bytes;
  const char *type;
  struct span span;
};

struct parts {
  VEC(struct part) all;
};

/* Of `ld.param.v2.u16 {%rs1, %rs2}, [k_param_0+16];` */
static void add_parts(struct arena *arena, const struct ptx_statement *statement, const char *name,
                      struct parts *parts) {
  const char *opcode = statement->text + (*statement->text == '@' ? strcspn(statement->text, " ") + 1 : 0);
  const char *address = strchr(opcode, '[');
  size_t length = strlen(name);
  if (!text_begins(opcode, "ld.param") || !address || strncmp(address + 1, name, length) != 0) return;
  const char *after = address + 1 + length + strspn(address + 1 + length, " ");
  if (*after != '+' && *after != ']') return;
  int64_t offset = 0;
  char *digits = arena_strdup(arena, *after == '+' ? after + 1 + strspn(after + 1, " ") : "0");
  digits[strcspn(digits, " ]")] = '\0';
  if (!ptx_number(digits, &offset) || offset < 0) return;
  size_t count = 0;
  const char **words = text_split(arena, arena_strndup(arena, opcode, strcspn(opcode, " ")), ".", &count);
  unsigned bytes = nvptx_bits(words[count - 1]) / 8, elements = 1;
  for (size_t i = 0; i < count; i++)
    if (words[i][0] == 'v' && (words[i][1] == '2' || words[i][1] == '4') && !words[i][2])
      elements = (unsigned)(words[i][1] - '0');
  for (unsigned i = 0; i < elements && bytes; i++)
    *vec_push(arena, &parts->all) =
        (struct part){(uint64_t)offset + i * bytes, bytes, words[count - 1], statement->span};
}

static uint64_t aligned(uint64_t offset, unsigned bytes) {
  return (offset + bytes - 1) / bytes * bytes;
}

/* The first that may follow what there is, with no more between them than its alignment needs. */
static const struct part *next_part(const struct parts *parts, uint64_t offset) {
  const struct part *next = NULL;
  ARRAY_EACH (const struct part, part, parts->all.at, parts->all.count)
    if (part->offset == aligned(offset, part->bytes) && (!next || part->offset < next->offset)) next = part;
  return next;
}

static bool has_member(const struct ptx_members *members, const struct part *part) {
  ARRAY_EACH (const struct ptx_member, member, members->all.at, members->all.count)
    if (member->offset == part->offset && member->bytes == part->bytes) return true;
  return false;
}

/* `%rd1`, of `mov.b64 %rd1, k_param_0;`, which holds its address; NULL: another statement. */
static const char *address_register(struct arena *arena, const struct ptx_statement *statement, const char *name) {
  size_t count = 0;
  const char **words = text_split(arena, statement->text, " ,;", &count);
  return count == 3 && text_begins(words[0], "mov.") && !strcmp(words[2], name) ? words[1] : NULL;
}

static void find_parts(struct arena *arena, const struct ptx_entry *kernel, const char *name, struct parts *parts) {
  VEC(const char *) names = {0};
  *vec_push(arena, &names) = name;
  ARRAY_EACH (const struct ptx_statement, statement, kernel->statements.at, kernel->statements.count) {
    const char *reg = address_register(arena, statement, name);
    if (reg) *vec_push(arena, &names) = reg;
    for (size_t i = 0; i < names.count; i++) add_parts(arena, statement, names.at[i], parts);
  }
}

bool ptx_structure_members(struct arena *arena, const struct source *source, const struct ptx_entry *kernel,
                           const struct ptx_variable *parameter, const struct header_input *input,
                           struct ptx_members *members, struct diags *diags) {
  enum { POINTER = 8, NOT_LOADED = 4 };
  struct parts parts = {0};
  uint64_t offset = 0;
  find_parts(arena, kernel, parameter->name, &parts);
  for (unsigned i = 0; i < input->value.count; i++) {
    const struct initial *value = &input->value.items[i];
    const struct part *part = value->list ? NULL : next_part(&parts, offset);
    unsigned bytes = value->list ? POINTER : part ? part->bytes : NOT_LOADED;
    struct ptx_member member = {aligned(offset, bytes), bytes, part ? part->type : "b32", value};
    offset = member.offset + bytes;
    *vec_push(arena, &members->all) = member;
  }
  uint64_t size = parameter->count * nvptx_bits(parameter->type) / 8;
  if (offset > size) {
    diag_error(diags, input->source, input->value.span, "more members than have place in the %" PRIu64 " bytes of %s",
               size, parameter->name);
    return false;
  }
  ARRAY_EACH (const struct part, part, parts.all.at, parts.all.count) {
    if (has_member(members, part)) continue;
    diag_error(diags, source, part->span,
               "nothing says what the %u bytes at %" PRIu64
               " of %s are: members have as many bytes as the load of them, "
               "pointers 8, and what is not loaded, gaps too, 4 each",
               part->bytes, part->offset, parameter->name);
    return false;
  }
  return true;
}
