/* SPDX-License-Identifier: MIT */
/* ADSM threads and kernels: tree to instructions.
 *
 * A statement reads all cells of its expressions, from left to right, into
 * registers, and then computes.  A kernel's body is laid down behind every call
 * of it, each with registers `kernel:name` of its own, and with the objects of the call
 * in place of its parameters.
 */
#include <string.h>

#include "checker/base/tags.h"
#include "checker/litmus/adsm.h"

enum { INSTRUCTIONS_LIMIT = 60000 };

struct lowering {
  struct draft *draft;
  struct adsm_test *test;
  struct draft_thread *thread;
  unsigned loops;                   /* around what is being lowered */
  const struct adsm_kernel *kernel; /* NULL: on the host */
  const struct adsm_stmt *call;     /* of the kernel; NULL: it is only read */
  size_t kernel_registers;          /* the first of this call's */
};

int adsm_find_object(const struct adsm_test *test, const char *name) {
  for (size_t i = 0; i < test->objects.count; i++)
    if (!strcmp(test->objects.at[i].name, name)) return (int)i;
  return -1;
}

int adsm_find_kernel(const struct adsm_test *test, const char *name) {
  for (size_t i = 0; i < test->kernels.count; i++)
    if (!strcmp(test->kernels.at[i].name, name)) return (int)i;
  return -1;
}

int adsm_find_parameter(const struct adsm_kernel *kernel, const char *name) {
  for (size_t i = 0; i < kernel->parameters.count; i++)
    if (!strcmp(kernel->parameters.at[i].text, name)) return (int)i;
  return -1;
}

static void lower_stmt(struct lowering *l, const struct adsm_stmt *s);

static struct instr *emit(struct lowering *l, enum instr_kind kind, struct span span) {
  return draft_emit(l->draft, l->thread, kind, span);
}

static unsigned here(const struct lowering *l) {
  return (unsigned)l->thread->code.count;
}

static const char *hint_object(struct lowering *l, const char *name) {
  struct arena *arena = l->draft->reader.arena;
  const char **words = ARENA_ARRAY(arena, const char *, l->test->objects.count + 1);
  for (size_t i = 0; i < l->test->objects.count; i++) words[i] = l->test->objects.at[i].name;
  return reader_hint(&l->draft->reader, name, words);
}

static const char *hint_kernel(struct lowering *l, const char *name) {
  struct arena *arena = l->draft->reader.arena;
  const char **words = ARENA_ARRAY(arena, const char *, l->test->kernels.count + 1);
  for (size_t i = 0; i < l->test->kernels.count; i++) words[i] = l->test->kernels.at[i].name;
  return reader_hint(&l->draft->reader, name, words);
}

/* --- cells and values ------------------------------------------------------------------ */

static const struct expr *lower_value(struct lowering *l, const struct adsm_expr *e);

/* What the call gives for a parameter of that name; NULL: it is none. */
static const struct adsm_argument *find_argument(const struct lowering *l, const char *name) {
  int parameter = l->kernel && l->call ? adsm_find_parameter(l->kernel, name) : -1;
  return parameter < 0 ? NULL : &l->call->arguments.at[parameter];
}

/* The object that a name means: where a kernel runs, perhaps one that it was given. */
static int find_object(const struct lowering *l, const char *name) {
  const struct adsm_argument *given = find_argument(l, name);
  return adsm_find_object(l->test, given ? given->object.text : name);
}

static bool is_cell(const struct lowering *l, const struct adsm_expr *e) {
  return e->kind == ADSM_NAME && (e->index || find_object(l, e->name) >= 0);
}

/* Does a kernel reach the object by its address on the host, which is not that on the
 * accelerator? */
static bool mistakes_address(const struct lowering *l, const struct adsm_expr *e) {
  const struct adsm_argument *given = find_argument(l, e->name);
  int object = find_object(l, e->name);
  return l->kernel && object >= 0 && l->test->objects.at[object].safe && !(given && given->translated);
}

/* The address of a cell.  An index that is a constant is carried out. */
static struct address lower_cell(struct lowering *l, const struct adsm_expr *e) {
  struct reader *reader = &l->draft->reader;
  int object = find_object(l, e->name);
  if (object < 0) {
    reader_fail(reader, e->span, "unknown object '%s'%s", e->name, hint_object(l, e->name));
    return (struct address){0, 1, NULL};
  }
  const struct draft_location *location = &l->draft->locations.at[object];
  struct address address = {location->first, location->size, NULL};
  if (!e->index && location->size > 1)
    reader_fail(reader, e->span, "'%s' has %u cells: name one, such as %s[0]", e->name, location->size, e->name);
  if (!e->index) return address;
  const struct expr *index = lower_value(l, e->index);
  if (index->kind != EXPR_CONST)
    address.index = index;
  else if (index->value < 0 || index->value >= location->size)
    reader_fail(reader, e->span, "'%s' has cells 0 to %u", e->name, location->size - 1);
  else
    address = (struct address){location->first + (unsigned)index->value, 1, NULL};
  return address;
}

/* A register of this call of the kernel. */
static unsigned use_kernel_register(struct lowering *l, const char *local) {
  const char *name = arena_printf(l->draft->reader.arena, "%s:%s", l->kernel->name, local);
  for (size_t reg = l->kernel_registers; reg < l->thread->registers.count; reg++) {
    const char *other = l->thread->registers.at[reg].name;
    if (other && !strcmp(other, name)) return (unsigned)reg;
  }
  unsigned reg = draft_new_temporary(l->draft, l->thread);
  l->thread->registers.at[reg].name = name;
  return reg;
}

static unsigned use_register(struct lowering *l, const struct adsm_expr *e) {
  if (l->kernel) return use_kernel_register(l, e->name);
  return draft_use_register(l->draft, l->thread, e->name, e->span);
}

static void emit_load(struct lowering *l, const struct adsm_expr *e, unsigned reg) {
  struct address address = lower_cell(l, e);
  struct instr *load = emit(l, INSTR_LOAD, e->span);
  load->address = address;
  load->reg = (int)reg;
  if (mistakes_address(l, e)) load->tags |= tag_bit(TAG_HOSTADDR);
}

static const struct expr *lower_value(struct lowering *l, const struct adsm_expr *e) {
  if (e->kind == ADSM_NUMBER) return draft_constant(l->draft, e->value);
  if (is_cell(l, e)) {
    unsigned reg = draft_new_temporary(l->draft, l->thread);
    emit_load(l, e, reg);
    return draft_register_value(l->draft, reg);
  }
  if (e->kind == ADSM_NAME) return draft_register_value(l->draft, use_register(l, e));
  const struct expr *a = lower_value(l, e->a);
  const struct expr *b = e->b ? lower_value(l, e->b) : NULL;
  const struct expr *c = e->c ? lower_value(l, e->c) : NULL;
  return draft_operation(l->draft, e->op, a, b, c);
}

/* --- statements ------------------------------------------------------------------------- */

static void lower_assign(struct lowering *l, const struct adsm_stmt *s) {
  if (is_cell(l, s->to)) {
    const struct expr *value = lower_value(l, s->value);
    struct address address = lower_cell(l, s->to);
    struct instr *store = emit(l, INSTR_STORE, s->span);
    store->address = address;
    store->value = value;
    if (mistakes_address(l, s->to)) store->tags |= tag_bit(TAG_HOSTADDR);
    return;
  }
  bool load = is_cell(l, s->value);
  const struct expr *value = load ? NULL : lower_value(l, s->value);
  unsigned reg = use_register(l, s->to);
  l->thread->registers.at[reg].assigned = true;
  if (load) {
    emit_load(l, s->value, reg);
    return;
  }
  struct instr *assign = emit(l, INSTR_ASSIGN, s->span);
  assign->reg = (int)reg;
  assign->value = value;
}

/* A jump whose target comes later: to be patched. */
static unsigned emit_jump(struct lowering *l, enum instr_kind kind, const struct expr *value, struct span span) {
  emit(l, kind, span)->value = value;
  return here(l) - 1;
}

/* A branch on a statement's condition, which is worked out before it. */
static unsigned emit_branch(struct lowering *l, const struct adsm_stmt *s) {
  unsigned first = here(l);
  const struct expr *value = lower_value(l, s->value);
  unsigned branch = emit_jump(l, INSTR_BRANCH, value, s->span);
  l->thread->code.at[branch].condition = first + 1;
  return branch;
}

static void patch(struct lowering *l, unsigned jump) {
  l->thread->code.at[jump].target = here(l);
}

static void lower_if(struct lowering *l, const struct adsm_stmt *s) {
  unsigned branch = emit_branch(l, s);
  lower_stmt(l, s->body);
  if (!s->otherwise) {
    patch(l, branch);
    return;
  }
  unsigned jump = emit_jump(l, INSTR_JUMP, NULL, s->span);
  patch(l, branch);
  lower_stmt(l, s->otherwise);
  patch(l, jump);
}

static void lower_while(struct lowering *l, const struct adsm_stmt *s) {
  unsigned top = here(l);
  l->loops++;
  unsigned branch = emit_branch(l, s);
  lower_stmt(l, s->body);
  emit(l, INSTR_JUMP, s->span)->target = top;
  l->loops--;
  patch(l, branch);
}

/* Registers are zero whenever the kernel starts again. */
static void reset_registers(struct lowering *l) {
  for (size_t reg = l->kernel_registers; reg < l->thread->registers.count; reg++) {
    if (!l->thread->registers.at[reg].name) continue;
    struct instr *reset = emit(l, INSTR_ASSIGN, l->kernel->span);
    reset->reg = (int)reg;
    reset->value = draft_constant(l->draft, 0);
  }
}

/* The body of a kernel, here, for a call of it. */
static void lay_down(struct lowering *l, const struct adsm_kernel *kernel, const struct adsm_stmt *call) {
  l->kernel = kernel;
  l->call = call;
  l->kernel_registers = l->thread->registers.count;
  lower_stmt(l, kernel->body);
  if (l->loops) reset_registers(l);
  emit(l, INSTR_RETURN, kernel->span);
  l->kernel = NULL;
}

/* The index of a shared object, or -1 with an error. */
static int find_shared(struct lowering *l, const struct adsm_name *name) {
  struct reader *reader = &l->draft->reader;
  int object = adsm_find_object(l->test, name->text);
  if (object < 0)
    reader_fail(reader, name->span, "unknown object '%s'%s", name->text, hint_object(l, name->text));
  else if (!l->test->objects.at[object].shared)
    reader_fail(reader, name->span, "kernels cannot use '%s': it is the host's", name->text);
  return reader->failed ? -1 : object;
}

/* What a call says that its kernel writes, by object; NULL: it does not say. */
static const bool *written(struct lowering *l, const struct adsm_stmt *s) {
  if (!s->annotated) return NULL;
  bool *writes = ARENA_ARRAY(l->draft->reader.arena, bool, l->test->objects.count);
  for (size_t i = 0; i < s->writes.count; i++) {
    int object = find_shared(l, &s->writes.at[i]);
    if (object >= 0) writes[object] = true;
  }
  return writes;
}

/* Is there an object for each of the kernel's parameters? */
static bool check_arguments(struct lowering *l, const struct adsm_stmt *s, const struct adsm_kernel *kernel,
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

static void lower_call(struct lowering *l, const struct adsm_stmt *s) {
  int kernel = adsm_find_kernel(l->test, s->name);
  if (kernel < 0) {
    reader_fail(&l->draft->reader, s->span, "unknown kernel '%s'%s", s->name, hint_kernel(l, s->name));
    return;
  }
  unsigned call = emit_jump(l, INSTR_CALL, NULL, s->span);
  struct instr *instr = &l->thread->code.at[call];
  instr->kernel = (unsigned)kernel;
  instr->writes = written(l, s);
  if (!check_arguments(l, s, &l->test->kernels.at[kernel], instr)) return;
  lay_down(l, &l->test->kernels.at[kernel], s);
  patch(l, call);
}

static void lower_lifetime(struct lowering *l, const struct adsm_stmt *s) {
  struct reader *reader = &l->draft->reader;
  int index = adsm_find_object(l->test, s->name);
  if (index < 0) {
    reader_fail(reader, s->span, "unknown object '%s'%s", s->name, hint_object(l, s->name));
    return;
  }
  struct adsm_object *object = &l->test->objects.at[index];
  if (!object->shared)
    reader_fail(reader, s->span, "'%s' is the host's: only shared objects are allocated and freed", s->name);
  if (s->kind == ADSM_DO_ALLOC && object->initialised)
    reader_fail(reader, object->span, "'%s' is allocated by the program, so it has no initial value", s->name);
  if (s->kind == ADSM_DO_ALLOC)
    object->allocated_later = true;
  else
    object->freed = true;
  emit(l, s->kind == ADSM_DO_ALLOC ? INSTR_ALLOC : INSTR_FREE, s->span)->object = (unsigned)index;
}

/* memset and memcpy run on the accelerator, by the host's order: only shared
 * objects take part. */
static struct address lower_range(struct lowering *l, const struct adsm_range *range) {
  struct reader *reader = &l->draft->reader;
  int index = adsm_find_object(l->test, range->name);
  if (index < 0) {
    reader_fail(reader, range->span, "unknown object '%s'%s", range->name, hint_object(l, range->name));
    return (struct address){0, 1, NULL};
  }
  const struct draft_location *location = &l->draft->locations.at[index];
  if (!l->test->objects.at[index].shared)
    reader_fail(reader, range->span, "'%s' is the host's: memset and memcpy are for shared objects", range->name);
  if (range->whole) return (struct address){location->first, location->size, NULL};
  if (range->first > range->last) reader_fail(reader, range->span, "the last cell lies before the first");
  if (range->first < 0 || range->first > range->last || range->last >= location->size) {
    reader_fail(reader, range->span, "'%s' has cells 0 to %u", range->name, location->size - 1);
    return (struct address){0, 1, NULL};
  }
  return (struct address){location->first + (unsigned)range->first, (unsigned)(range->last - range->first) + 1, NULL};
}

static void lower_fill(struct lowering *l, const struct adsm_stmt *s) {
  const struct expr *value = lower_value(l, s->value);
  struct address address = lower_range(l, &s->range);
  struct instr *fill = emit(l, INSTR_FILL, s->span);
  fill->address = address;
  fill->value = value;
}

static void lower_copy(struct lowering *l, const struct adsm_stmt *s) {
  struct address to = lower_range(l, &s->range), from = lower_range(l, &s->from);
  if (to.size != from.size) reader_fail(&l->draft->reader, s->span, "%u cells are copied into %u", from.size, to.size);
  if (to.base < from.base + from.size && from.base < to.base + to.size)
    reader_fail(&l->draft->reader, s->span, "the cells overlap");
  struct instr *copy = emit(l, INSTR_COPY, s->span);
  copy->address = to;
  copy->from = from;
}

static void fail_in_kernel(struct lowering *l, const struct adsm_stmt *s) {
  reader_fail(&l->draft->reader, s->span,
              "the kernel '%s' cannot do this: only the host calls, syncs, allocates, frees, sets and copies",
              l->kernel->name);
}

/* A kernel's body counts at every call of it. */
static void check_length(struct lowering *l, const struct adsm_stmt *s) {
  if (l->thread->code.count > INSTRUCTIONS_LIMIT)
    reader_fail(&l->draft->reader, s->span, "the thread has more than %d instructions, with the kernels it calls",
                INSTRUCTIONS_LIMIT);
}

static void lower_stmt(struct lowering *l, const struct adsm_stmt *s) {
  check_length(l, s);
  if (l->draft->reader.failed) return;
  if (l->kernel && s->kind >= ADSM_DO_CALL) {
    fail_in_kernel(l, s);
    return;
  }
  switch (s->kind) {
    case ADSM_ASSIGN:
      lower_assign(l, s);
      break;
    case ADSM_BLOCK:
      for (const struct adsm_stmt *at = s->body; at; at = at->next) lower_stmt(l, at);
      break;
    case ADSM_IF:
      lower_if(l, s);
      break;
    case ADSM_WHILE:
      lower_while(l, s);
      break;
    case ADSM_DO_CALL:
      lower_call(l, s);
      break;
    case ADSM_DO_SYNC:
      emit(l, INSTR_SYNC, s->span);
      break;
    case ADSM_DO_FILL:
      lower_fill(l, s);
      break;
    case ADSM_DO_COPY:
      lower_copy(l, s);
      break;
    default:
      lower_lifetime(l, s);
      break;
  }
}

/* --- the test ---------------------------------------------------------------------------- */

/* An object lies in the memory of one accelerator, on which its kernels run. */
static void check_assignment(struct lowering *l, struct adsm_object *object, const struct adsm_name *name) {
  struct reader *reader = &l->draft->reader;
  int index = adsm_find_kernel(l->test, name->text);
  if (index < 0) {
    reader_fail(reader, name->span, "unknown kernel '%s'%s", name->text, hint_kernel(l, name->text));
    return;
  }
  const struct adsm_kernel *kernel = &l->test->kernels.at[index];
  if (!object->placed) object->accelerator = kernel->accelerator;
  object->placed = true;
  if (object->accelerator != kernel->accelerator)
    reader_fail(reader, name->span, "'%s' lies on accelerator %u, and the kernel '%s' runs on accelerator %u",
                object->name, object->accelerator, kernel->name, kernel->accelerator);
}

static void check_assignments(struct lowering *l) {
  for (size_t i = 0; i < l->test->objects.count; i++) {
    struct adsm_object *object = &l->test->objects.at[i];
    for (size_t k = 0; k < object->kernels.count; k++) check_assignment(l, object, &object->kernels.at[k]);
  }
}

/* Kernels that are not called are read as well; those with parameters, only where they are. */
static void check_kernels(struct lowering *l) {
  for (size_t i = 0; i < l->test->kernels.count && !l->draft->reader.failed; i++) {
    const struct adsm_kernel *kernel = &l->test->kernels.at[i];
    struct draft_thread nowhere = {0};
    if (kernel->parameters.count) continue;
    l->thread = &nowhere;
    lay_down(l, kernel, NULL);
    l->thread = NULL;
  }
}

void adsm_lower_threads(struct draft *draft) {
  struct lowering l = {.draft = draft, .test = draft->own};
  check_assignments(&l);
  if (!l.test->objects.count && !draft->reader.failed)
    reader_fail(&draft->reader, draft->threads.at[0].span,
                "an ADSM test needs an object, such as x:1, in its init section");
  check_kernels(&l);
  for (size_t t = 0; t < draft->threads.count && !draft->reader.failed; t++) {
    l.thread = &draft->threads.at[t];
    lower_stmt(&l, l.thread->body);
  }
}
