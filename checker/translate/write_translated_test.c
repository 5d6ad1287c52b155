/* SPDX-License-Identifier: MIT */
/* Tests from columns, in the notation of PTX and Vulkan tests. */
#include "checker/translate/write_translated_test.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/cursor.h"
#include "checker/base/hash_table.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/columns.h"

/* ---- names ---- */

static bool is_taken(const struct hash_table *taken, const char *const *names, const char *name) {
  HASH_EACH (at, taken, text_hash(TEXT_HASH, name))
    if (!strcmp(names[hash_number(taken, at)], name)) return true;
  return false;
}

/* Letters, digits and `_`, and not a register: `a[0]` is `a_0`, `r1` is `r1_`. */
static const char *clean_name(struct arena *arena, const char *name) {
  char *clean = arena_strdup(arena, name), *to = clean;
  for (const char *from = name; *from; from++)
    if (is_word_char(*from))
      *to++ = *from;
    else if (*from != ']')
      *to++ = '_';
  *to = '\0';
  bool is_register = *clean == 'r' && clean[1] && strspn(clean + 1, "0123456789") == strlen(clean + 1);
  return is_register || !*clean ? arena_printf(arena, "%s_", clean) : clean;
}

/* Cells among which a run chooses are an array: how many, by its first location; elsewhere 0. */
static const unsigned *find_arrays(struct arena *arena, const struct program *program) {
  unsigned *sizes = ARENA_ARRAY(arena, unsigned, program->location_count + 1), end = 0, first = 0;
  INSTR_EACH (instr, program) {
    unsigned cells = instr_is_access(instr) ? address_cells(&instr->address) : 1;
    if (cells > 1 && sizes[instr->address.base] < cells) sizes[instr->address.base] = cells;
  }
  for (unsigned x = 0; x < program->location_count; x++) { /* those that overlap are one */
    if (!sizes[x]) continue;
    if (x >= end) first = x;
    if (x + sizes[x] > end) end = x + sizes[x];
    sizes[x] = 0;
    sizes[first] = end - first;
  }
  return sizes;
}

const char *const *compose_names(struct arena *arena, const struct program *program) {
  const char **names = ARENA_ARRAY(arena, const char *, program->location_count + 1);
  const char **taken_names = ARENA_ARRAY(arena, const char *, program->location_count + 1);
  const unsigned *sizes = find_arrays(arena, program);
  struct hash_table taken = {0};
  for (unsigned x = 0; x < program->location_count; x++) {
    const char *name = clean_name(arena, program->locations[x].name);
    while (is_taken(&taken, taken_names, name)) name = arena_printf(arena, "%s_", name);
    hash_add(arena, &taken, text_hash(TEXT_HASH, name), x);
    names[x] = taken_names[x] = name;
    if (!sizes[x]) continue;
    for (unsigned first = x, i = 0; i < sizes[first]; i++)
      names[x = first + i] = arena_printf(arena, "%s[%u]", name, i);
  }
  return names;
}

/* ---- the text ---- */

struct composer {
  struct arena *arena;
  const struct program *program;
  const struct compose_head *head;
  const char *const *locations;
  const struct column *columns;
  const bool *used; /* by location */
  bool clusters;    /* some operation names them */
  FILE *out;
};

static bool is_vulkan(const struct composer *c) {
  return c->head->language == LANG_VULKAN;
}

/* How many elements the array has that begins with the location; 0: none does. */
static unsigned array_size(const struct composer *c, unsigned x) {
  const char *name = c->locations[x], *index = strchr(name, '[');
  unsigned size = 0;
  if (!index || strcmp(index, "[0]") != 0) return 0;
  while (x + size < c->program->location_count &&
         !strcmp(c->locations[x + size], arena_printf(c->arena, "%.*s[%u]", (int)(index - name), name, size)))
    size++;
  return size;
}

static void write_array(const struct composer *c, unsigned first, unsigned size) {
  const char *name = c->locations[first];
  fprintf(c->out, " %.*s[%u]={", (int)(strchr(name, '[') - name), name, size);
  for (unsigned i = 0; i < size; i++)
    fprintf(c->out, "%s%" PRId64, i ? "," : "", c->program->locations[first + i].init);
  fputs("};", c->out);
}

static void write_head(const struct composer *c) {
  fprintf(c->out, "%s %s\n\"%s by %s\"\n{", is_vulkan(c) ? "Vulkan" : "PTX", c->head->name, c->head->name, c->head->by);
  for (unsigned x = 0; x < c->program->location_count; x++) {
    unsigned cell = program_physical(c->program, x), size = array_size(c, x);
    if (size) {
      write_array(c, x, size);
      x += size - 1;
      continue;
    }
    if (!c->used[x]) continue;
    if (cell == x)
      fprintf(c->out, " %s=%" PRId64 ";", c->locations[x], c->program->locations[x].init);
    else
      fprintf(c->out, " %s aliases %s;", c->locations[x], c->locations[cell]);
  }
  for (unsigned t = 0; t < c->program->thread_count; t++)
    for (unsigned r = 0; r < c->program->threads[t].reg_count; r++)
      if (c->columns[t].registers[r] && c->columns[t].initial && c->columns[t].initial[r])
        fprintf(c->out, " P%u:%s=%" PRId64 ";", t, c->columns[t].registers[r], c->columns[t].initial[r]);
  fputs(" }\n", c->out);
  for (unsigned i = 0; i < c->program->pair_count; i++)
    fprintf(c->out, "%sssw %u %u;%s", i ? " " : "{ ", c->program->pairs[i].from, c->program->pairs[i].to,
            i + 1 == c->program->pair_count ? " }\n" : "");
}

static bool names_cluster(const struct column *columns, unsigned count) {
  for (unsigned t = 0; t < count; t++)
    for (size_t i = 0; i < columns[t].count; i++)
      if (strstr(columns[t].at[i].text, ".cluster")) return true;
  return false;
}

static const char *place(const struct composer *c, unsigned t) {
  const struct thread *thread = &c->program->threads[t];
  return is_vulkan(c)  ? arena_printf(c->arena, "P%u@sg %u,wg %u,qf %u", t, thread->sg, thread->wg, thread->qf)
         : c->clusters ? arena_printf(c->arena, "P%u@cta %u,cluster %u,gpu %u", t, thread->wg, thread->qf, thread->dev)
                       : arena_printf(c->arena, "P%u@cta %u,gpu %u", t, thread->wg, thread->dev);
}

static void write_columns(const struct composer *c) {
  unsigned threads = c->program->thread_count;
  struct cells_text *cells = ARENA_ARRAY(c->arena, struct cells_text, threads);
  for (unsigned t = 0; t < threads; t++) {
    *vec_push(c->arena, &cells[t]) = place(c, t);
    for (size_t i = 0; i < c->columns[t].count; i++) *vec_push(c->arena, &cells[t]) = c->columns[t].at[i].text;
  }
  columns_write(c->arena, cells, threads, c->out);
}

/* ---- its question ---- */

static void write_operand(const void *composer, const struct operand *operand, const struct operand *beside,
                          FILE *out) {
  (void)beside;
  const struct composer *c = composer;
  if (operand->constant)
    fprintf(out, "%" PRId64, operand->value);
  else if (operand->what.thread < 0)
    fprintf(out, "[%s]", c->locations[operand->what.index]);
  else
    fprintf(out, "P%d:%s", operand->what.thread, c->columns[operand->what.thread].registers[operand->what.index]);
}

static const struct prop_words litmus_words = {{[PROP_TRUE] = "0 == 0",
                                                [PROP_FALSE] = "0 == 1",
                                                [PROP_AND] = "(@ /\\ @)",
                                                [PROP_OR] = "(@ \\/ @)",
                                                [PROP_IMPLIES] = "(~(@) \\/ @)",
                                                [PROP_NOT] = "~(@)"},
                                               {"@ == @", "@ != @", "@ < @", "@ <= @", "@ > @", "@ >= @"},
                                               false};

static bool is_same(const void *observable, struct observable what) {
  const struct observable *o = observable;
  return o->thread == what.thread && o->index == what.index;
}

/* What the source shows besides what its condition names. */
static void write_observed(const struct composer *c, const struct litmus_test *test) {
  bool some = false;
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct operand operand = {.what = test->observables[i]};
    if (prop_has(test->condition, is_same, &operand.what)) continue;
    fputs(some ? " " : "locations [", c->out);
    some = true;
    write_operand(c, &operand, NULL, c->out);
    fputc(';', c->out);
  }
  if (some) fputs("]\n", c->out);
}

static void write_question(const struct composer *c, const struct litmus_test *test) {
  static const char *const QUANTIFIERS[] = {
      [QUANT_EXISTS] = "exists", [QUANT_NOT_EXISTS] = "~exists", [QUANT_FORALL] = "forall"};
  write_observed(c, test);
  if (test->filter) {
    fputs("filter (", c->out);
    prop_print(test->filter, &litmus_words, write_operand, c, c->out);
    fputs(")\n", c->out);
  }
  enum prop_kind kind = test->condition->kind;
  bool closed = kind == PROP_AND || kind == PROP_OR || kind == PROP_IMPLIES; /* these bring their parentheses */
  fprintf(c->out, closed ? "%s " : "%s (", QUANTIFIERS[test->quantifier]);
  prop_print(test->condition, &litmus_words, write_operand, c, c->out);
  fputs(closed ? "\n" : ")\n", c->out);
}

/* ---- both ---- */

/* Locations that are accessed, asked for, or have another name.  Arrays of kernels have many more. */
static const bool *find_used(struct arena *arena, const struct program *program, const struct litmus_test *asks) {
  bool *used = ARENA_ARRAY(arena, bool, program->location_count + 1u);
  INSTR_EACH (instr, program) {
    for (unsigned c = 0; c < instr->address.size; c++) used[instr->address.base + c] = true;
    if (instr->expected_in_memory) used[instr->expected_at.base] = true;
  }
  for (unsigned x = 0; x < program->location_count; x++)
    if (program->locations[x].physical) used[x] = used[program_physical(program, x)] = true;
  for (unsigned i = 0; asks && i < asks->observable_count; i++)
    if (asks->observables[i].thread < 0) used[asks->observables[i].index] = true;
  return used;
}

/* What of the program no test in the language can say; NULL: nothing. */
static const char *find_unsaid(const struct composer *c) {
  const struct program *program = c->program;
  if (is_vulkan(c) && program->dev_count > 1) return "Vulkan's tests have one device";
  if (!is_vulkan(c) && program->pair_count) return "PTX's tests have no `ssw`";
  for (unsigned x = 0; x < program->location_count; x++) {
    const char *name = program->locations[x].name;
    if (c->head->asks && c->used[x] && program->locations[x].any)
      return arena_printf(c->arena, "the initial value of %s is not known, and a test has one (kernels: @Input)", name);
    if (!is_vulkan(c) && program->locations[x].physical)
      return arena_printf(c->arena, "%s is another name of a location, which means more in PTX's tests", name);
  }
  const struct litmus_test *asks = c->head->asks;
  if (asks && (prop_sums(asks->condition) || prop_sums(asks->filter))) return "a test's condition has no sums";
  return NULL;
}

bool write_translated_test(struct arena *arena, const struct program *program, const struct compose_head *head,
                           struct composed *composed, struct diags *diags) {
  struct composer c = {arena,
                       program,
                       head,
                       composed->locations,
                       composed->columns,
                       find_used(arena, program, head->asks),
                       names_cluster(composed->columns, program->thread_count),
                       NULL};
  const char *unsaid = find_unsaid(&c);
  if (unsaid) return diag_error(diags, program->source, (struct span){0, 0}, "%s: %s", program->name, unsaid);
  struct text text = text_new();
  c.out = text.out;
  write_head(&c);
  write_columns(&c);
  if (head->asks)
    write_question(&c, head->asks);
  else
    fputs("exists (0 == 0)\n", c.out);
  composed->text = text_keep(&text, arena);
  const char *name = arena_printf(arena, "%s by %s", head->name, head->by);
  const struct source *source = source_from_text(arena, name, composed->text, strlen(composed->text));
  composed->test = litmus_parse(arena, source, &(struct litmus_options){0}, diags);
  return composed->test != NULL;
}

const struct composed_observable *compose_observables(struct arena *arena, const struct program *program,
                                                      const struct composed *composed,
                                                      const struct observable *observables, unsigned count) {
  struct composed_observable *all = ARENA_ARRAY(arena, struct composed_observable, count + 1);
  const struct program *target = composed->test->program;
  for (unsigned i = 0; i < count; i++) {
    struct observable from = observables[i];
    int index = -1;
    all[i].what.thread = from.thread;
    if (from.thread < 0) {
      index = program_find_location(target, composed->locations[from.index]);
      all[i].value = program->locations[from.index].init;
    } else {
      const struct column *column = &composed->columns[from.thread];
      const char *name = column->registers[from.index];
      if (name) index = thread_find_register(&target->threads[from.thread], name);
      all[i].value = column->initial ? column->initial[from.index] : 0;
    }
    all[i].constant = index < 0;
    all[i].what.index = index < 0 ? 0 : (unsigned)index;
  }
  return all;
}

unsigned compose_line(const struct composed *composed, unsigned thread, int instr) {
  const struct column *column = &composed->columns[thread];
  for (size_t i = 0; i < column->count; i++)
    if (!column->at[i].label && instr-- == 0) return column->at[i].line;
  return 0;
}
