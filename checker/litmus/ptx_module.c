/* SPDX-License-Identifier: MIT */
/* Columns as the text of a test, and back from its places to those of the module. */
#include "checker/litmus/ptx_module.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/columns.h"
#include "checker/litmus/ptx_module_barriers.h"
#include "checker/litmus/ptx_module_gatherings.h"
#include "checker/ptx/kernel.h"

struct ptx_module_test {
  struct arena *arena;
  struct diags *diags;
  const struct source *source, *text;
  bool asks_all;
  struct ptx_launch launch;
  uint32_t *lines; /* where lines of the text begin */
  size_t line_count, head;
};

/* ---- the text ---- */

static bool has_gatherings(const struct ptx_launch *launch) {
  ARRAY_EACH (const struct ptx_meeting, at, launch->meetings.all.at, launch->meetings.all.count)
    if (at->gathers != PTX_NOTHING) return true;
  return false;
}

static void write_objects(const struct ptx_launch *launch, FILE *out) {
  ARRAY_EACH (const struct ptx_object, object, launch->objects.at, launch->objects.count) {
    fprintf(out, " s%u o%u[%u]={", nvptx_bits(object->type), (unsigned)(object - launch->objects.at), object->count);
    for (unsigned i = 0; i < object->count; i++) {
      int64_t value = 0;
      (void)ptx_object_initial(object, i, &value);
      fprintf(out, "%s%" PRId64, i ? "," : "", value);
    }
    fputs(object->group ? "} @ shared;" : "};", out);
  }
  if (has_gatherings(launch)) fprintf(out, " s64 %s[2]={0,0};", PTX_GATHERED);
}

static void write_text(struct ptx_module_test *test) {
  const struct ptx_launch *l = &test->launch;
  struct text text = text_new();
  struct cells_text *cells = ARENA_ARRAY(test->arena, struct cells_text, l->threads);
  fprintf(text.out, "PTX kernel\n{");
  write_objects(l, text.out);
  fputs(" }\n", text.out);
  test->head = 3;
  for (unsigned t = 0; t < l->threads; t++) {
    *vec_push(test->arena, &cells[t]) = arena_printf(test->arena, "P%u@cta %u,gpu 0", t, t / l->threads_in_block);
    for (size_t i = 0; i < l->columns[t].count; i++) *vec_push(test->arena, &cells[t]) = l->columns[t].at[i].text;
  }
  columns_write(test->arena, cells, l->threads, text.out);
  fputs("exists (0 == 0)\n", text.out);
  const char *kept = text_keep(&text, test->arena);
  test->text = source_from_text(test->arena, l->entry->name, kept, strlen(kept));
}

static void find_lines(struct ptx_module_test *test) {
  const char *text = test->text->text;
  size_t count = 1;
  for (const char *at = text; (at = strchr(at, '\n')); at++) count++;
  test->lines = ARENA_ARRAY(test->arena, uint32_t, count);
  for (const char *at = text; test->line_count < count; at = strchr(at, '\n') + 1) {
    test->lines[test->line_count++] = (uint32_t)(at - text);
    if (!strchr(at, '\n')) break;
  }
}

struct ptx_module_test *ptx_module_open(struct arena *arena, const struct source *source,
                                        const struct spirv_options *options, struct diags *diags) {
  struct ptx_module_test *test = ARENA_MAKE(arena, struct ptx_module_test, .arena = arena, .diags = diags,
                                            .source = source, .asks_all = options->asks_all);
  struct header header;
  if (!header_read(arena, source, false, options->header, &header, diags)) return NULL;
  if (options->condition && !header_replace_condition(arena, source, options->condition, &header, diags)) return NULL;
  if (!ptx_launch_read(arena, source, &header, &test->launch, diags)) return NULL;
  write_text(test);
  find_lines(test);
  return test;
}

const struct source *ptx_module_text(const struct ptx_module_test *test) {
  return test->text;
}

const char *ptx_module_name(const struct ptx_module_test *test) {
  return spirv_name(test->arena, test->source->name);
}

/* ---- and back ---- */

/* Where the module has the instruction of whose cell a place of the text is. */
static struct span place_of(const struct ptx_module_test *test, uint32_t at) {
  size_t low = 0, high = test->line_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (test->lines[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  size_t thread = 0;
  for (uint32_t i = test->lines[low]; i < at; i++) thread += test->text->text[i] == '|';
  if (low < test->head || thread >= test->launch.threads) return (struct span){0, 0};
  const struct column *column = &test->launch.columns[thread];
  return low - test->head < column->count ? column->at[low - test->head].from : (struct span){0, 0};
}

/* Registers have other names in the text than in the module. */
static const char *message_of(const struct ptx_module_test *test, const struct diag *d) {
  const char *reads = strstr(d->message, " reads '"), *unset = strstr(d->message, "', which nothing sets");
  if (!reads || !unset) return d->message;
  return arena_printf(test->arena, "%.*s reads a register here that nothing sets: it is 0", (int)(reads - d->message),
                      d->message);
}

void ptx_module_tell(const struct ptx_module_test *test, const struct diags *said, struct diags *diags) {
  for (size_t i = 0; i < said->count; i++) {
    const struct diag *d = &said->at[i];
    struct span span = place_of(test, d->span.at);
    if (!strcmp(d->severity, "error"))
      diag_error(diags, test->source, span, "%s", message_of(test, d));
    else if (!diags->count || diags->at[diags->count - 1].span.at != span.at) /* other threads have the same */
      diag_warning(diags, test->source, span, "%s", message_of(test, d));
  }
}

static void name_locations(const struct ptx_module_test *test, struct program *program) {
  ARRAY_EACH (const struct ptx_object, object, test->launch.objects.at, test->launch.objects.count)
    for (unsigned i = 0; i < object->count; i++) {
      struct location *location = &program->locations[object->first + i];
      int64_t value;
      location->name = arena_printf(test->arena, "%s[%u]", object->name, i);
      location->width = ptx_object_width(object);
      location->any = !ptx_object_initial(object, i, &value);
    }
}

/* ---- what is asked ---- */

static struct operand find(struct header_lookup *lookup, const struct header_operand *from, struct width *type) {
  const struct ptx_module_test *test = lookup->kernel;
  const struct ptx_object *object = ptx_launch_find(&test->launch, from->name);
  struct observable what = {-1, 0};
  unsigned at = 0;                                         /* the index of the element */
  if (!object && from->index_count && !from->members[0]) { /* what a member of a structure points to */
    const char *name = arena_printf(test->arena, "%s[%" PRId64 "]", from->name, from->indices[at++]);
    object = ptx_launch_find(&test->launch, name);
  }
  int64_t index = from->index_count > at ? from->indices[at] : 0;
  bool whole = object && from->index_count == at && object->count == 1;
  if (!object)
    header_fail(lookup, from->span, "the kernel uses no parameter that points to memory, and no variable, ",
                from->name);
  else if (!whole && (from->index_count != at + 1 || from->members[at] || index < 0 || index >= object->count))
    header_fail(lookup, from->span, "this is not one of the numbers in ",
                arena_printf(test->arena, "%s: there are [0] to [%u]", object->name, object->count - 1));
  if (lookup->failed) return (struct operand){.constant = true};
  *type = ptx_object_width(object);
  what.index = object->first + (unsigned)index;
  *vec_push(test->arena, &lookup->seen) = what;
  return (struct operand){.what = what};
}

/* What others see, of what was there before. */
static void ask_for_all(const struct ptx_module_test *test, const struct program *program,
                        struct header_lookup *lookup) {
  ARRAY_EACH (const struct ptx_object, object, test->launch.objects.at, test->launch.objects.count)
    for (unsigned i = 0; object->pointed && i < object->count; i++)
      if (!program->locations[object->first + i].any)
        *vec_push(test->arena, &lookup->seen) = (struct observable){-1, object->first + i};
}

bool ptx_module_finish(struct ptx_module_test *test, struct program *program, struct kernel_question *asks) {
  struct header_lookup lookup = {.arena = test->arena, .diags = test->diags, .find = find, .kernel = test};
  program->source = test->source;
  if (has_gatherings(&test->launch)) ptx_gatherings_take(test->arena, program, test->launch.location_count);
  name_locations(test, program);
  INSTR_EACH (instr, program) instr->span = place_of(test, instr->span.at);
  if (!ptx_module_follow(test->arena, program, &test->launch.meetings, test->launch.header.threads, test->diags))
    return false;
  if (!header_ask(&lookup, &test->launch.header, asks)) return false;
  if (test->asks_all && !lookup.seen.count) ask_for_all(test, program, &lookup);
  header_observe(&lookup, program, asks);
  return true;
}
