/* SPDX-License-Identifier: MIT */
/* The compiler: instructions of the program one by one through the mapping.
 * Jump targets are fixed up at the end, when the place of each is known. */
#include "hwsem/compile_by_mapping.h"

#include <assert.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

struct compiler {
  struct arena *arena;
  const struct program *program;
  const struct mapping *mapping;
  struct diags *diags;
  const struct thread *thread;
  VEC(struct hw_instr) code;
  unsigned source; /* instruction being compiled */
  unsigned temporaries;
  unsigned *starts; /* by source instruction: its first machine instruction */
  bool system, failed;
};

static enum region region_of(const struct program *program, const struct address *address) {
  return program->locations[address->base].region;
}

bool compile_key(const struct program *program, const struct instr *instr, struct mapping_key *key) {
  enum mapping_kind kind;
  if (!mapping_kind_of(instr->kind, &kind)) return false;
  bool remote = tags_have(instr->tags, TAG_REMOTE);
  *key = (struct mapping_key){kind, instr->scope, instr->order, remote, REGION_GLOBAL};
  if (instr->kind == INSTR_CAS) key->order = order_of_both(instr->order, instr->failure);
  if (instr->kind == INSTR_FENCE || instr->kind == INSTR_BARRIER) {
    if (instr->regions && !(instr->regions & REGION_GLOBAL)) key->region = REGION_LOCAL;
  } else {
    key->region = region_of(program, &instr->address);
  }
  if (instr->kind != INSTR_BARRIER && instr->order != ORDER_NA && instr->scope == SCOPE_NONE)
    key->scope = program->dev_count > 1 ? SCOPE_SYS : SCOPE_DEV;
  return true;
}

static struct hw_instr *add(struct compiler *c, enum hw_op op) {
  struct hw_instr *instr = vec_push(c->arena, &c->code);
  instr->op = op;
  instr->source = c->source;
  instr->reg = instr->old_reg = NO_REG;
  instr->meeting = -1;
  return instr;
}

static int new_temporary(struct compiler *c) {
  return (int)(c->thread->reg_count + c->temporaries++);
}

static const struct mapping_cell *find_cell(struct compiler *c, const struct instr *instr, struct mapping_key key) {
  const struct mapping_cell *cell = mapping_find(c->mapping, key);
  if (cell) return cell;
  diag_error(c->diags, c->program->source, instr->span, "mapping %s has no <operation> for '%s'", c->mapping->name,
             mapping_key_text(c->diags->arena, key));
  c->failed = true;
  return NULL;
}

static bool beyond_device(struct mapping_step step) {
  bool broadcast = step.op == HW_FLU || step.op == HW_INV;
  return (broadcast && step.level == LEVEL_L2) || step.target == TARGET_SYS || step.level == LEVEL_GL;
}

/* What an access of the operation carries besides its step.  Local memory is
 * accessed in its scratchpad, whatever the level of the cell. */
static void fill_access(struct compiler *c, struct hw_instr *out, const struct instr *instr,
                        const struct expr *expected, int old_reg) {
  out->address = instr->address;
  if (region_of(c->program, &instr->address) == REGION_LOCAL) {
    out->level = LEVEL_LOCAL;
  } else if (hw_is_access(out->op) && out->level == LEVEL_LOCAL) {
    diag_error(c->diags, c->program->source, instr->span, "mapping %s accesses local memory here, but '%s' is global",
               c->mapping->name, c->program->locations[instr->address.base].name);
    c->failed = true;
  }
  if (out->op == HW_LD || out->op == HW_RMW) out->reg = instr->reg;
  if (out->op == HW_ST || out->op == HW_RMW) out->value = instr->value;
  if (out->op != HW_RMW) return;
  out->function = instr->op;
  out->width = instr->width;
  out->cas = instr->kind == INSTR_CAS;
  out->weak = instr->weak;
  out->returns_old = instr->returns_old;
  out->expected = expected;
  out->old_reg = old_reg;
}

static void add_cell(struct compiler *c, const struct instr *instr, struct mapping_key key, const struct expr *expected,
                     int old_reg) {
  const struct mapping_cell *cell = find_cell(c, instr, key);
  for (unsigned i = 0; cell && i < cell->step_count; i++) {
    struct mapping_step step = cell->steps[i];
    struct hw_instr *out = add(c, step.op);
    out->level = step.level;
    out->target = step.target;
    out->posted = step.posted;
    out->first = i == 0;
    out->atomic = key.order != ORDER_NA;
    if (hw_is_access(step.op) || step.op == HW_LOCK_LINE) fill_access(c, out, instr, expected, old_reg);
    if (step.op == HW_MEET) out->meeting = instr->barrier_label;
    c->system |= beyond_device(step);
  }
}

static struct mapping_key ordinary(const struct compiler *c, enum mapping_kind kind, const struct address *address) {
  return (struct mapping_key){kind, SCOPE_NONE, ORDER_NA, false, region_of(c->program, address)};
}

static void compile_cas(struct compiler *c, const struct instr *instr, struct mapping_key key) {
  if (!instr->expected_in_memory) {
    add_cell(c, instr, key, instr->expected, NO_REG);
    return;
  }
  struct instr load = {.kind = INSTR_LOAD, .reg = new_temporary(c), .address = instr->expected_at, .span = instr->span};
  add_cell(c, &load, ordinary(c, MAP_LOAD, &load.address), NULL, NO_REG);
  int old = instr->writeback ? new_temporary(c) : NO_REG;
  struct instr operation = *instr;
  int flag = instr->reg;
  if (instr->writeback) flag = operation.reg = new_temporary(c);
  add_cell(c, &operation, key, expr_register(c->arena, (unsigned)load.reg), old);
  if (!instr->writeback) return;
  /* if (!flag) expected = old; reg = flag */
  size_t branch = c->code.count;
  add(c, HW_BRANCH)->value = expr_new(c->arena, EXPR_LNOT, expr_register(c->arena, (unsigned)flag), NULL, NULL);
  struct instr store = {.kind = INSTR_STORE,
                        .address = instr->expected_at,
                        .value = expr_register(c->arena, (unsigned)old),
                        .span = instr->span};
  add_cell(c, &store, ordinary(c, MAP_STORE, &store.address), NULL, NO_REG);
  c->code.at[branch].destination = (unsigned)c->code.count;
  if (instr->reg == NO_REG) return;
  struct hw_instr *copy = add(c, HW_ASSIGN);
  copy->reg = instr->reg;
  copy->value = expr_register(c->arena, (unsigned)flag);
}

/* Jumps keep the source's target until fix_jumps. */
static void compile_control(struct compiler *c, const struct instr *instr) {
  if (!instr_is_control(instr)) {
    diag_error(c->diags, c->program->source, instr->span, "the GPU machine has no instruction for this operation");
    c->failed = true;
    return;
  }
  struct hw_instr *out = add(c, instr->kind == INSTR_ASSIGN   ? HW_ASSIGN
                                : instr->kind == INSTR_BRANCH ? HW_BRANCH
                                                              : HW_JUMP);
  out->first = true;
  out->reg = instr->kind == INSTR_ASSIGN ? instr->reg : NO_REG;
  out->value = instr->value;
  out->destination = instr->target;
}

static bool from_source(const struct hw_instr *instr) {
  return instr->first && hw_jumps(instr->op);
}

static void fix_jumps(struct compiler *c) {
  for (size_t i = 0; i < c->code.count; i++)
    if (from_source(&c->code.at[i])) c->code.at[i].destination = c->starts[c->code.at[i].destination];
}

/* Mappings are of the operations of OpenCL, C and HSA: they say nothing of
 * proxies, aliases, privacy, locks or control barriers of one event. */
static bool refuse(struct compiler *c, const struct instr *instr) {
  tag_set unknown = (instr->tags | instr->read_tags | instr->write_tags) & ~tag_bit(TAG_REMOTE);
  if (!unknown && !instr->alias && instr->kind != INSTR_MEET && instr->kind != INSTR_MARK) return false;
  if (!c->failed)
    diag_error(c->diags, c->program->source, instr->span,
               "mapping %s has no such operation; -machine sc runs it, and models judge it (litscope check)",
               c->mapping->name);
  c->failed = true;
  return true;
}

/* Jumps stay within the thread, registers are its own or temporaries, and what is
 * locked is unlocked. */
__attribute__((unused)) static bool code_is_sound(const struct compiler *c) {
  unsigned registers = c->thread->reg_count + c->temporaries, locks = 0;
  ARRAY_EACH (const struct hw_instr, instr, c->code.at, c->code.count) {
    bool jumps = hw_jumps(instr->op);
    if (jumps && instr->destination > c->code.count) return false;
    if (instr->reg != NO_REG && (unsigned)instr->reg >= registers) return false;
    locks += hw_is_lock(instr->op);
    if (hw_is_unlock(instr->op) && !locks--) return false;
  }
  return locks == 0;
}

static void compile_thread(struct compiler *c, const struct thread *thread, struct hw_thread *out) {
  c->thread = thread;
  c->code.at = NULL;
  c->code.count = c->code.room = 0;
  c->temporaries = 0;
  c->starts = ARENA_ARRAY(c->arena, unsigned, thread->instr_count + 1);
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    struct mapping_key key;
    c->source = i;
    c->starts[i] = (unsigned)c->code.count;
    if (refuse(c, instr)) continue;
    if (!compile_key(c->program, instr, &key))
      compile_control(c, instr);
    else if (instr->kind == INSTR_CAS)
      compile_cas(c, instr, key);
    else
      add_cell(c, instr, key, NULL, NO_REG);
  }
  c->starts[thread->instr_count] = (unsigned)c->code.count;
  fix_jumps(c);
  assert(c->failed || code_is_sound(c));
  out->thread = thread;
  out->instrs = c->code.at;
  out->instr_count = (unsigned)c->code.count;
  out->reg_count = thread->reg_count + c->temporaries;
  int64_t *init = ARENA_ARRAY(c->arena, int64_t, out->reg_count + 1);
  for (unsigned r = 0; r < thread->reg_count; r++) init[r] = thread->reg_init ? thread->reg_init[r] : 0;
  out->reg_init = init;
}

struct hw_program *compile_program(struct arena *arena, const struct program *program, const struct mapping *mapping,
                                   struct diags *diags) {
  struct compiler c = {.arena = arena, .program = program, .mapping = mapping, .diags = diags};
  struct hw_program *out = ARENA_MAKE(arena, struct hw_program, .program = program, .mapping = mapping,
                                      .thread_count = program->thread_count,
                                      .threads = ARENA_ARRAY(arena, struct hw_thread, program->thread_count + 1));
  for (unsigned t = 0; t < program->thread_count; t++) compile_thread(&c, &program->threads[t], &out->threads[t]);
  out->system = c.system;
  return c.failed ? NULL : out;
}

/* Printing. */

static void print_register(const struct hw_thread *thread, int reg, FILE *out) {
  fputc(' ', out);
  struct expr e = {.kind = EXPR_REG, .reg = (unsigned)reg};
  if (reg == NO_REG)
    fputc('-', out);
  else
    expr_print(thread->thread, &e, out);
}

/* Operands are separated by spaces, so anything longer than a word gets parentheses. */
static void print_expr(const struct hw_thread *thread, const struct expr *e, FILE *out) {
  bool word = e->kind == EXPR_CONST || e->kind == EXPR_REG;
  fputs(word ? " " : " (", out);
  expr_print(thread->thread, e, out);
  if (!word) fputc(')', out);
}

static void print_address(const struct hw_program *program, const struct hw_thread *thread, const struct address *a,
                          FILE *out) {
  fprintf(out, " %s", program->program->locations[a->base].name);
  if (!a->index) return;
  fputs(" +", out);
  print_expr(thread, a->index, out);
}

static void print_inc(const struct hw_program *program, const struct hw_thread *thread, const struct hw_instr *instr,
                      FILE *out) {
  static const char *const NAMES[RMW_OPS] = {
      [RMW_EXCHANGE] = "XCHG",   [RMW_ADD] = "INC",       [RMW_SUB] = "SUB",           [RMW_OR] = "OR",
      [RMW_XOR] = "XOR",         [RMW_AND] = "AND",       [RMW_MIN] = "MIN",           [RMW_MAX] = "MAX",
      [RMW_MUL] = "MUL",         [RMW_DIV] = "DIV",       [RMW_UMIN] = "UMIN",         [RMW_UMAX] = "UMAX",
      [RMW_INC] = "WRAPINC",     [RMW_DEC] = "WRAPDEC",   [RMW_MBARRIER] = "MBARRIER", [RMW_FADD] = "FADD",
      [RMW_FADD_FLUSH] = "FADD", [RMW_FADD_LONG] = "FADD"};
  static const char *const LEVELS[] = {"L1", "L2", "GL", "LM"};
  fprintf(out, "%s_%s", instr->cas ? "CAS" : NAMES[instr->function], LEVELS[instr->level]);
  print_register(thread, instr->reg, out);
  print_address(program, thread, &instr->address, out);
  if (instr->cas) print_expr(thread, instr->expected, out);
  print_expr(thread, instr->value, out);
}

static void print_control(const struct hw_thread *thread, const struct hw_instr *instr, FILE *out) {
  if (instr->op == HW_ASSIGN) {
    fputs("MOV", out);
    print_register(thread, instr->reg, out);
    print_expr(thread, instr->value, out);
  } else if (instr->op == HW_BRANCH) {
    fputs("BZ", out);
    print_expr(thread, instr->value, out);
    fprintf(out, " %u", instr->destination);
  } else {
    fprintf(out, "BR %u", instr->destination);
  }
}

void hw_instr_print(const struct hw_program *program, const struct hw_thread *thread, const struct hw_instr *instr,
                    FILE *out) {
  if (hw_is_control(instr->op)) {
    print_control(thread, instr, out);
  } else if (instr->op == HW_RMW) {
    print_inc(program, thread, instr, out);
  } else {
    mapping_step_print((struct mapping_step){instr->op, instr->level, instr->target, instr->posted}, out);
    if (instr->op == HW_LD) print_register(thread, instr->reg, out);
    if (instr->op == HW_LD || instr->op == HW_ST || instr->op == HW_LOCK_LINE)
      print_address(program, thread, &instr->address, out);
    if (instr->op == HW_ST) print_expr(thread, instr->value, out);
  }
}

static void print_line(const struct hw_program *program, const struct hw_thread *thread, const struct hw_instr *instr,
                       bool numbered, FILE *out) {
  struct text text = text_new();
  hw_instr_print(program, thread, instr, text.out);
  text_end(&text);
  fputs("    ", out);
  if (numbered) fprintf(out, "%3u: ", (unsigned)(instr - thread->instrs));
  bool comment = instr->first && !hw_is_control(instr->op);
  fprintf(out, comment ? "%-18s ; " : "%s", text.at);
  if (comment) instr_print(program->program, thread->thread, &thread->thread->instrs[instr->source], out);
  fputc('\n', out);
  text_free(&text);
}

static bool has_jumps(const struct hw_thread *thread) {
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (hw_jumps(thread->instrs[i].op)) return true;
  return false;
}

void hw_program_print(const struct hw_program *program, FILE *out) {
  ARRAY_EACH (const struct hw_thread, thread, program->threads, program->thread_count) {
    bool numbered = has_jumps(thread);
    fprintf(out, "%s (wg %u, device %u)\n", thread->thread->name, thread->thread->wg, thread->thread->dev);
    for (unsigned i = 0; i < thread->instr_count; i++) print_line(program, thread, &thread->instrs[i], numbered, out);
  }
}

bool hw_program_posts(const struct hw_program *program) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++)
      if (program->threads[t].instrs[i].op == HW_INV && program->threads[t].instrs[i].posted) return true;
  return false;
}
