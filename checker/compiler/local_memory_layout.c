/* SPDX-License-Identifier: MIT */
/* Places of variables as LLVM's performOptimizedStructLayout gives them. */
#include "checker/compiler/local_memory_layout.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 8 /* of which the compiler may leave out any */ };

/* As LLVM aligns them for AMD's GPUs, by size. */
static unsigned alignment(const struct kernel_variable *variable) {
  unsigned size = variable->size;
  return size > 8 ? 16 : size > 4 ? 8 : size > 2 ? 4 : size;
}

/* The byte where a variable would be, after those before it. */
static unsigned next_place(const struct kernel_variable *variable, unsigned end) {
  unsigned align = alignment(variable);
  return (end + align - 1) / align * align;
}

/* Of two variables that are left to lay out, does LLVM take `x` first?  The one with less padding before it, then by
 * alignment, size and name. */
static bool goes_before(const struct kernel_variable *x, const struct kernel_variable *y, unsigned end) {
  if (next_place(x, end) != next_place(y, end)) return next_place(x, end) < next_place(y, end);
  if (alignment(x) != alignment(y)) return alignment(x) > alignment(y);
  if (x->size != y->size) return x->size > y->size;
  return strcmp(x->name, y->name) < 0;
}

/* Those of a group that are in the set, one after the other, as LLVM does it (performOptimizedStructLayout); all of
 * them are one struct, which is aligned as its widest element.  `first`: the group's first variable. */
static void lay_out_group(const struct kernel_launch *launch, unsigned first, unsigned set,
                          struct local_memory_layout *layout) {
  unsigned end = 0, widest = 1;
  const struct kernel_variable *all = launch->variables;
  while (true) {
    unsigned next = LOCAL_MEMORY_NOWHERE;
    for (unsigned i = first; i < launch->variable_count && all[i].group == all[first].group; i++) {
      bool left = layout->places[i] == LOCAL_MEMORY_NOWHERE && (i - first >= MOST_VARIABLES || set >> (i - first) & 1);
      if (left && (next == LOCAL_MEMORY_NOWHERE || goes_before(&all[i], &all[next], end))) next = i;
    }
    if (next == LOCAL_MEMORY_NOWHERE) break;
    layout->places[next] = next_place(&all[next], end);
    end = layout->places[next] + all[next].size;
    if (all[next].align > widest) widest = all[next].align;
  }
  end = (end + widest - 1) / widest * widest;
  if (end > layout->bytes) layout->bytes = end;
}

static struct local_memory_layout lay_out(struct arena *arena, const struct kernel_launch *launch, unsigned set) {
  struct local_memory_layout layout = {ARENA_ARRAY(arena, unsigned, launch->variable_count + 1), 0};
  for (unsigned i = 0; i < launch->variable_count; i++) layout.places[i] = LOCAL_MEMORY_NOWHERE;
  for (unsigned i = 0; i < launch->variable_count; i++)
    if (i == 0 || launch->variables[i].group != launch->variables[i - 1].group) lay_out_group(launch, i, set, &layout);
  return layout;
}

unsigned long local_memory_bytes(const struct amd_code *code) {
  const char *size = strstr(code->source->text, ".group_segment_fixed_size:");
  return size ? strtoul(size + strlen(".group_segment_fixed_size:"), NULL, 10) : 0;
}

bool local_memory_lay_out(struct arena *arena, const struct kernel_launch *launch, const struct amd_code *code,
                          struct local_memory_layout *layout) {
  unsigned long bytes = local_memory_bytes(code);
  unsigned count = 0, found = 0;
  struct local_memory_layout only = {0};
  *layout = lay_out(arena, launch, UINT32_MAX);
  if (!bytes || bytes == layout->bytes) return true;
  while (count < launch->variable_count && launch->variables[count].group == launch->variables[0].group) count++;
  for (unsigned set = 1; count <= MOST_VARIABLES && set < 1u << count; set++) {
    struct local_memory_layout some = lay_out(arena, launch, set);
    if (some.bytes != bytes) continue;
    only = some;
    found++;
  }
  if (found == 1) *layout = only;
  return found == 1;
}
