/* SPDX-License-Identifier: MIT */
/* ADSM threads and kernels: tree to instructions.
 *
 * A statement reads all cells of its expressions, from left to right, into
 * registers, and then computes.  A kernel's body is laid down after every call
 * of it, each with registers `kernel:name` of its own, and with the objects of the call
 * in place of its parameters.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/litmus/adsm.h"
#include "checker/litmus/lowering.h"

enum { INSTRUCTIONS_LIMIT = 60000 };

struct adsm_lowering {
  struct adsm_test *test;
  const struct adsm_kernel *kernel; /* that is laid down; NULL: on the host */
  const struct adsm_action *call;   /* of the kernel; NULL: it is only read */
  size_t kernel_registers;          /* the first of this call's */
};

const char *const adsm_reserved[] = {"call",  "sync",   "alloc",  "free",   "if", "else",
                                     "while", "kernel", "memset", "memcpy", NULL};

bool adsm_is_reserved(const char *word) {
  return text_is_one_of(word, adsm_reserved);
}

int adsm_find_object(const struct adsm_test *test, const char *name) {
  return ROW_INDEX(test->objects.at, test->objects.count, name, name);
}

int adsm_find_kernel(const struct adsm_test *test, const char *name) {
  return ROW_INDEX(test->kernels.at, test->kernels.count, name, name);
}

int adsm_find_parameter(const struct adsm_kernel *kernel, const char *name) {
  return ROW_INDEX(kernel->parameters.at, kernel->parameters.count, text, name);
}

static const char *hint_kernel(struct lowering *l, const char *name) {
  struct reader *reader = &l->draft->reader;
  return reader_hint(reader, name,
                     ROW_TEXTS(reader->arena, l->adsm->test->kernels.at, l->adsm->test->kernels.count, name));
}

/* --- cells and values ------------------------------------------------------------------ */

/* What the call gives for a parameter of that name; NULL: it is none. */
static const struct adsm_argument *find_argument(const struct lowering *l, const char *name) {
  int parameter = l->adsm->kernel && l->adsm->call ? adsm_find_parameter(l->adsm->kernel, name) : -1;
  return parameter < 0 ? NULL : &l->adsm->call->arguments.at[parameter];
}

/* The object that a name means: where a kernel runs, perhaps one that it was given. */
static int find_object(const struct lowering *l, const char *name) {
  const struct adsm_argument *given = find_argument(l, name);
  return adsm_find_object(l->adsm->test, given ? given->object.text : name);
}

static bool is_cell(const struct lowering *l, const struct ast_expr *e) {
  return e->kind == AST_INDEX || (e->kind == AST_NAME && find_object(l, e->name) >= 0);
}

/* `x` of `x` and of `x[1]`. */
static const char *name_of(const struct ast_expr *e) {
  return e->kind == AST_INDEX && e->a->kind == AST_NAME ? e->a->name : e->kind == AST_NAME ? e->name : "";
}

/* Does a kernel reach the object by its address on the host, which is not that on the
 * accelerator? */
static bool mistakes_address(const struct lowering *l, const struct ast_expr *e) {
  const struct adsm_argument *given = find_argument(l, name_of(e));
  int object = find_object(l, name_of(e));
  return l->adsm->kernel && object >= 0 && l->adsm->test->objects.at[object].safe && !(given && given->translated);
}

static const struct expr *value_of(struct lowering *l, const struct ast_expr *e);

/* The address of a cell. */
static struct address lower_cell(struct lowering *l, const struct ast_expr *e) {
  struct reader *reader = &l->draft->reader;
  const char *name = name_of(e);
  int object = find_object(l, name);
  if (object < 0) {
    reader_fail(reader, e->span, "unknown object '%s'%s", name, draft_location_hint(l->draft, name));
    return (struct address){.base = 0, .size = 1};
  }
  const struct draft_location *location = &l->draft->locations.at[object];
  struct address address = {.base = location->first, .size = location->size};
  if (e->kind == AST_INDEX) {
    address.index = value_of(l, e->b);
    return lowering_settle(l, address, e->span);
  }
  if (location->size > 1)
    reader_fail(reader, e->span, "'%s' has %u cells: name one, such as %s[0]", name, location->size, name);
  return address;
}

/* A register of this call of the kernel. */
static unsigned use_kernel_register(struct lowering *l, const char *local) {
  const char *name = arena_printf(l->draft->reader.arena, "%s:%s", l->adsm->kernel->name, local);
  for (size_t reg = l->adsm->kernel_registers; reg < l->thread->registers.count; reg++) {
    const char *other = l->thread->registers.at[reg].name;
    if (other && !strcmp(other, name)) return (unsigned)reg;
  }
  unsigned reg = draft_new_temporary(l->draft, l->thread);
  l->thread->registers.at[reg].name = name;
  return reg;
}

static unsigned use_register(struct lowering *l, const struct ast_expr *e) {
  struct reader *reader = &l->draft->reader;
  if (e->kind != AST_NAME)
    reader_fail(reader, e->span, "expressions of ADSM tests have no pointers, calls and assignments");
  else if (adsm_is_reserved(e->name))
    reader_fail(reader, e->span, "expected a value, found '%s'", e->name);
  if (reader->failed) return 0;
  if (l->adsm->kernel) return use_kernel_register(l, e->name);
  return draft_use_register(l->draft, l->thread, e->name, e->span);
}

static void emit_load(struct lowering *l, const struct ast_expr *e, unsigned reg) {
  struct address address = lower_cell(l, e);
  struct instr *load = lowering_emit(l, INSTR_LOAD, e->span);
  load->address = address;
  load->reg = (int)reg;
  if (mistakes_address(l, e)) load->tags |= tag_bit(TAG_HOSTADDR);
}

static const struct expr *value_of(struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_NUMBER) return draft_constant(l->draft, e->value);
  if (is_cell(l, e)) {
    unsigned reg;
    const struct expr *value = lowering_temporary(l, &reg);
    emit_load(l, e, reg);
    return value;
  }
  if (e->kind != AST_OPERATION) return lowering_register_value(l, use_register(l, e));
  const struct expr *a = value_of(l, e->a);
  const struct expr *b = e->b ? value_of(l, e->b) : NULL;
  const struct expr *c = e->c ? value_of(l, e->c) : NULL;
  return draft_operation(l->draft, e->op, a, b, c);
}

/* An assignment, `x = e`, `x += e` or `x++`. */
static void do_effect(struct lowering *l, const struct ast_expr *e) {
  if (e->kind != AST_ASSIGN) {
    value_of(l, e);
    return;
  }
  bool load = !e->compound && is_cell(l, e->b) && !is_cell(l, e->a);
  const struct expr *value = load ? NULL : value_of(l, e->b);
  if (e->compound) value = draft_operation(l->draft, e->op, value_of(l, e->a), value, NULL);
  if (is_cell(l, e->a)) {
    struct address address = lower_cell(l, e->a);
    struct instr *store = lowering_emit(l, INSTR_STORE, e->span);
    store->address = address;
    store->value = value;
    if (mistakes_address(l, e->a)) store->tags |= tag_bit(TAG_HOSTADDR);
    return;
  }
  unsigned reg = use_register(l, e->a);
  lowering_mark_assigned(l, reg);
  if (load)
    emit_load(l, e->b, reg);
  else
    lowering_assign(l, reg, value, e->span);
}

/* --- actions ---------------------------------------------------------------------------- */

/* Registers are zero whenever the kernel starts again. */
static void reset_registers(struct lowering *l) {
  for (size_t reg = l->adsm->kernel_registers; reg < l->thread->registers.count; reg++) {
    if (!l->thread->registers.at[reg].name) continue;
    struct instr *reset = lowering_emit(l, INSTR_ASSIGN, l->adsm->kernel->span);
    reset->reg = (int)reg;
    reset->value = draft_constant(l->draft, 0);
  }
}

/* The body of a kernel, here, for a call of it. */
static void lay_down(struct lowering *l, const struct adsm_kernel *kernel, const struct adsm_action *call) {
  struct loop *around = l->loop;
  l->adsm->kernel = kernel;
  l->adsm->call = call;
  l->adsm->kernel_registers = l->thread->registers.count;
  l->loop = NULL;
  lowering_body(l, kernel->body);
  l->loop = around;
  if (around) reset_registers(l);
  lowering_emit(l, INSTR_RETURN, kernel->span);
  l->adsm->kernel = NULL;
}

/* The index of a shared object, or -1 with an error. */
static int find_shared(struct lowering *l, const struct adsm_name *name) {
  struct reader *reader = &l->draft->reader;
  int object = adsm_find_object(l->adsm->test, name->text);
  if (object < 0)
    reader_fail(reader, name->span, "unknown object '%s'%s", name->text, draft_location_hint(l->draft, name->text));
  else if (!l->adsm->test->objects.at[object].shared)
    reader_fail(reader, name->span, "kernels cannot use '%s': it is the host's", name->text);
  return reader->failed ? -1 : object;
}

/* What a call says that its kernel writes, by object; NULL: it does not say. */
static const bool *written(struct lowering *l, const struct adsm_action *s) {
  if (!s->annotated) return NULL;
  bool *writes = ARENA_ARRAY(l->draft->reader.arena, bool, l->adsm->test->objects.count);
  for (size_t i = 0; i < s->writes.count; i++) {
    int object = find_shared(l, &s->writes.at[i]);
    if (object >= 0) writes[object] = true;
  }
  return writes;
}

/* Is there an object for each of the kernel's parameters? */
static bool check_arguments(struct lowering *l, const struct adsm_action *s, const struct adsm_kernel *kernel,
                            struct instr *call) {
  struct reader *reader = &l->draft->reader;
  if (s->arguments.count != kernel->parameters.count)
    reader_fail(reader, s->span, "parameters of the kernel '%s': %zu; the call gives %zu", kernel->name,
                kernel->parameters.count, s->arguments.count);
  for (size_t i = 0; i < s->arguments.count && !reader->failed; i++) {
    find_shared(l, &s->arguments.at[i].object);
    call->translated += s->arguments.at[i].translated;
  }
  return !reader->failed;
}

/* A kernel's body counts at every call of it. */
static void check_length(struct lowering *l) {
  if (l->thread->code.count > INSTRUCTIONS_LIMIT)
    reader_fail(&l->draft->reader, l->thread->span,
                "the thread has more than %d instructions, with the kernels it calls", INSTRUCTIONS_LIMIT);
}

static void lower_call(struct lowering *l, const struct adsm_action *s) {
  int kernel = adsm_find_kernel(l->adsm->test, s->name);
  if (kernel < 0) {
    reader_fail(&l->draft->reader, s->span, "unknown kernel '%s'%s", s->name, hint_kernel(l, s->name));
    return;
  }
  unsigned call = lowering_here(l);
  struct instr *instr = lowering_emit(l, INSTR_CALL, s->span);
  instr->kernel = (unsigned)kernel;
  instr->writes = written(l, s);
  if (!check_arguments(l, s, &l->adsm->test->kernels.at[kernel], instr)) return;
  lay_down(l, &l->adsm->test->kernels.at[kernel], s);
  check_length(l); /* before there are too many */
  lowering_patch(l, call, lowering_here(l));
}

static void lower_lifetime(struct lowering *l, const struct adsm_action *s) {
  struct reader *reader = &l->draft->reader;
  int index = adsm_find_object(l->adsm->test, s->name);
  if (index < 0) {
    reader_fail(reader, s->span, "unknown object '%s'%s", s->name, draft_location_hint(l->draft, s->name));
    return;
  }
  struct adsm_object *object = &l->adsm->test->objects.at[index];
  if (!object->shared)
    reader_fail(reader, s->span, "'%s' is the host's: only shared objects are allocated and freed", s->name);
  if (s->kind == ADSM_ALLOC && object->initialised)
    reader_fail(reader, object->span, "'%s' is allocated by the program, so it has no initial value", s->name);
  if (s->kind == ADSM_ALLOC)
    object->allocated_later = true;
  else
    object->freed = true;
  lowering_emit(l, s->kind == ADSM_ALLOC ? INSTR_ALLOC : INSTR_FREE, s->span)->object = (unsigned)index;
}

/* memset and memcpy run on the accelerator, by the host's order: only shared
 * objects take part. */
static struct address lower_range(struct lowering *l, const struct adsm_range *range) {
  struct reader *reader = &l->draft->reader;
  int index = adsm_find_object(l->adsm->test, range->name);
  if (index < 0) {
    reader_fail(reader, range->span, "unknown object '%s'%s", range->name, draft_location_hint(l->draft, range->name));
    return (struct address){.base = 0, .size = 1};
  }
  const struct draft_location *location = &l->draft->locations.at[index];
  if (!l->adsm->test->objects.at[index].shared)
    reader_fail(reader, range->span, "'%s' is the host's: memset and memcpy are for shared objects", range->name);
  if (range->whole) return (struct address){.base = location->first, .size = location->size};
  if (range->first > range->last) reader_fail(reader, range->span, "the last cell lies before the first");
  if (range->first < 0 || range->first > range->last || range->last >= location->size) {
    reader_fail(reader, range->span, "'%s' has cells 0 to %u", range->name, location->size - 1);
    return (struct address){.base = 0, .size = 1};
  }
  return (struct address){.base = location->first + (unsigned)range->first,
                          .size = (unsigned)(range->last - range->first) + 1};
}

static void lower_fill(struct lowering *l, const struct adsm_action *s) {
  const struct expr *value = value_of(l, s->value);
  struct address address = lower_range(l, &s->range);
  struct instr *fill = lowering_emit(l, INSTR_FILL, s->span);
  fill->address = address;
  fill->value = value;
}

static void lower_copy(struct lowering *l, const struct adsm_action *s) {
  struct address to = lower_range(l, &s->range), from = lower_range(l, &s->from);
  if (to.size != from.size) reader_fail(&l->draft->reader, s->span, "%u cells are copied into %u", from.size, to.size);
  if (to.base < from.base + from.size && from.base < to.base + to.size)
    reader_fail(&l->draft->reader, s->span, "the cells overlap");
  struct instr *copy = lowering_emit(l, INSTR_COPY, s->span);
  copy->address = to;
  copy->from = from;
}

static void fail_in_kernel(struct lowering *l, const struct adsm_action *s) {
  reader_fail(&l->draft->reader, s->span,
              "the kernel '%s' cannot do this: only the host calls, syncs, allocates, frees, sets and copies",
              l->adsm->kernel->name);
}

static void do_action(struct lowering *l, const struct adsm_action *action) {
  if (l->adsm->kernel) {
    fail_in_kernel(l, action);
    return;
  }
  switch (action->kind) {
    case ADSM_CALL:
      lower_call(l, action);
      return;
    case ADSM_SYNC:
      lowering_emit(l, INSTR_SYNC, action->span);
      return;
    case ADSM_ALLOC:
    case ADSM_FREE:
      lower_lifetime(l, action);
      return;
    case ADSM_FILL:
      lower_fill(l, action);
      return;
    case ADSM_COPY:
      lower_copy(l, action);
      return;
  }
}

/* --- the test ---------------------------------------------------------------------------- */

/* An object lies in the memory of one accelerator, on which its kernels run. */
static void check_assignment(struct lowering *l, struct adsm_object *object, const struct adsm_name *name) {
  struct reader *reader = &l->draft->reader;
  int index = adsm_find_kernel(l->adsm->test, name->text);
  if (index < 0) {
    reader_fail(reader, name->span, "unknown kernel '%s'%s", name->text, hint_kernel(l, name->text));
    return;
  }
  const struct adsm_kernel *kernel = &l->adsm->test->kernels.at[index];
  if (!object->placed) object->accelerator = kernel->accelerator;
  object->placed = true;
  if (object->accelerator != kernel->accelerator)
    reader_fail(reader, name->span, "'%s' lies on accelerator %u, and the kernel '%s' runs on accelerator %u",
                object->name, object->accelerator, kernel->name, kernel->accelerator);
}

static void check_assignments(struct lowering *l) {
  ARRAY_EACH (struct adsm_object, object, l->adsm->test->objects.at, l->adsm->test->objects.count) {
    for (size_t k = 0; k < object->kernels.count; k++) check_assignment(l, object, &object->kernels.at[k]);
  }
}

/* Kernels that are not called are read as well; those with parameters, only where they are. */
static void check_kernels(struct lowering *l) {
  for (size_t i = 0; i < l->adsm->test->kernels.count && !l->draft->reader.failed; i++) {
    const struct adsm_kernel *kernel = &l->adsm->test->kernels.at[i];
    struct draft_thread nowhere = {0};
    if (kernel->parameters.count) continue;
    l->thread = &nowhere;
    lay_down(l, kernel, NULL);
    l->thread = NULL;
  }
}

void adsm_lower_threads(struct draft *draft) {
  struct adsm_lowering own = {.test = draft->own};
  static const struct lowering_own words = {value_of, do_effect, do_action};
  struct lowering l = {.draft = draft, .adsm = &own, .own = &words};
  check_assignments(&l);
  if (!own.test->objects.count && !draft->reader.failed)
    reader_fail(&draft->reader, draft->threads.at[0].span,
                "an ADSM test needs an object, such as x:1, in its init section");
  check_kernels(&l);
  for (size_t t = 0; t < draft->threads.count && !draft->reader.failed; t++) {
    l.thread = &draft->threads.at[t];
    l.tree = l.thread->body;
    lowering_body(&l, l.tree->body);
    check_length(&l);
  }
}
