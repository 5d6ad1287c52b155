/* SPDX-License-Identifier: MIT */
/* A kernel's file, its arguments and its options, for a device. */
#include "checker/device/kernel_as_written.h"

#include <string.h>

#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/device/device.h"

/* Each of them has buffers of its own. */
enum { MOST_AT_ONCE = 100 };

/* Those that a compiler in a driver takes: OpenCL 3.0, 5.8.6. */
static const char *options_of(struct arena *arena, const struct program *program) {
  static const char *const known[] = {"-D", "-I", "-U", "-cl-", "-w", "-W", NULL};
  const char *const *word = program->kernel_launch->options;
  const char *folder = path_folder(arena, program->source->name);
  const char *all = arena_printf(arena, "-I %s", *folder ? folder : ".");
  for (; word && *word; word++) {
    bool takes = false;
    for (unsigned i = 0; known[i]; i++) takes |= text_begins(*word, known[i]);
    takes &= !text_begins(*word, "-cl-std");
    if (takes) all = arena_printf(arena, "%s %s", all, *word);
    if (takes && strlen(*word) == 2 && (*word)[1] != 'w' && word[1]) all = arena_printf(arena, "%s %s", all, *++word);
  }
  return all;
}

static bool refuse(const struct program *program, const char *why, struct diags *diags) {
  return diag_fail(diags, "%s: it cannot be run on a device as it is: %s; -rewrite runs it as a litmus test",
                   program->source->name, why);
}

static bool find_values(struct arena *arena, const struct program *program, const struct observable *observables,
                        struct kernel_as_written *kernel, struct diags *diags) {
  const struct kernel_launch *launch = kernel->launch;
  struct kernel_cell *values = ARENA_ARRAY(arena, struct kernel_cell, kernel->value_count + 1);
  for (unsigned i = 0; i < kernel->value_count; i++) {
    unsigned location = observables[i].index;
    values[i] = launch->cells[location];
    if (values[i].argument < 0 || launch->arguments[values[i].argument].local)
      return refuse(program, arena_printf(arena, "the host cannot read %s", program->locations[location].name), diags);
  }
  kernel->values = values;
  return true;
}

const struct kernel_as_written *kernel_as_written_new(struct arena *arena, const struct program *program,
                                                      const struct observable *observables, unsigned count,
                                                      const struct device_use *use, struct diags *diags) {
  struct kernel_as_written *kernel = ARENA_MAKE(arena, struct kernel_as_written, .launch = program->kernel_launch,
                                                .options = options_of(arena, program), .value_count = count,
                                                .batch = use->instances < MOST_AT_ONCE ? use->instances : MOST_AT_ONCE);
  if (kernel->launch->missing) return refuse(program, kernel->launch->missing, diags) ? kernel : NULL;
  if (!find_values(arena, program, observables, kernel, diags)) return NULL;
  if (kernel->launch->items > use->facts->group_items) {
    diag_fail(diags, "%s needs work-groups of %u work-items, but those of '%s' have at most %u", program->source->name,
              kernel->launch->items, use->facts->name, use->facts->group_items);
    return NULL;
  }
  return kernel;
}

struct program *kernel_zeroed(struct arena *arena, const struct program *program, bool *zeroed) {
  struct program *copy = ARENA_NEW(arena, struct program);
  struct location *locations = ARENA_COPY(arena, struct location, program->locations, program->location_count);
  *copy = *program;
  copy->locations = locations;
  for (unsigned i = 0; i < program->location_count; i++) {
    struct location *at = &locations[i];
    bool given = program->kernel_launch->cells[i].argument >= 0 && at->region == REGION_GLOBAL;
    if (!at->any || !given) continue;
    at->any = false;
    at->init = 0;
    *zeroed = true;
  }
  return copy;
}
