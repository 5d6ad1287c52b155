/* SPDX-License-Identifier: MIT */
/* A thread's instructions as text.
 *
 * Names are made of the test's: register r0 of P0 is P0_r0, the index of
 * location x is at_x; characters that no language has in names become `_`, with
 * the register's or location's number after them. */
#include "checker/device/statements.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/device/layout.h"
#include "checker/device/structured_flow.h"

static const char *indent_of(unsigned depth) {
  static const char blanks[] = "                                                                ";
  size_t width = 2 * (size_t)depth, most = sizeof blanks - 1;
  return blanks + most - (width < most ? width : most);
}

/* Begins a line. */
FILE *statements_line(const struct statements *w) {
  if (w->lines) fprintf(w->out, "#line %u \"test\"\n", w->line);
  fputs(indent_of(w->depth), w->out);
  return w->out;
}

/* ---- names ---- */

static const char *clean(struct arena *arena, const char *name, unsigned number) {
  char *text = arena_strdup(arena, name);
  bool changed = false;
  for (char *at = text; *at; at++)
    if (!isalnum((unsigned char)*at)) {
      changed |= *at != '_';
      *at = '_';
    }
  /* Names of some languages must not hold two underscores together. */
  changed |= strstr(text, "__") != NULL || (*text && text[strlen(text) - 1] == '_');
  for (char *two; (two = strstr(text, "__"));) memmove(two, two + 1, strlen(two));
  size_t length = strlen(text);
  if (length && text[length - 1] == '_') text[length - 1] = '\0';
  return changed ? arena_printf(arena, "%s_%u", text, number) : text;
}

const char *statements_register(const struct statements *w, unsigned thread, unsigned reg) {
  const char *name = w->program->threads[thread].reg_names[reg];
  /* Threads that do the same have the same text where each stands alone. */
  if (!w->layout) return arena_printf(w->arena, "r%u_%s", reg, name ? clean(w->arena, name, reg) : "");
  return name ? arena_printf(w->arena, "P%u_%s", thread, clean(w->arena, name, reg))
              : arena_printf(w->arena, "P%u_t%u", thread, reg);
}

const char *statements_location(const struct statements *w, unsigned location) {
  return arena_printf(w->arena, "at_%s", clean(w->arena, w->program->locations[location].name, location));
}

const char *statements_value_type(const struct statements *w) {
  return w->dialect->value[w->wide];
}

/* `int name = `, or what the language has for it. */
void statements_declare(const struct statements *w, const char *type, const char *name) {
  if (w->dialect->typed_names)
    fprintf(statements_line(w), "var %s: %s = ", name, type);
  else
    fprintf(statements_line(w), "%s %s = ", type, name);
}

/* ---- expressions ---- */

static const char *operator_text(enum expr_kind kind) {
  static const char *const texts[] = {
      [EXPR_DIV] = "quotient",      [EXPR_MOD] = "rest",       [EXPR_UDIV] = "natural_quotient",
      [EXPR_UMOD] = "natural_rest", [EXPR_SHL] = "shift_left", [EXPR_SHR] = "shift_right"};
  bool function = kind < ARRAY_COUNT(texts) && texts[kind];
  return function ? texts[kind] : expr_infix(kind).text;
}

/* As something that can be tested. */
static const char *condition(const struct statements *w, const struct expr *e) {
  if (!expr_is_condition(e->kind)) return arena_printf(w->arena, "%s != 0", statements_expression(w, e));
  if (e->kind == EXPR_LNOT) return arena_printf(w->arena, "!(%s)", condition(w, e->a));
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR)
    return arena_printf(w->arena, "(%s) %s (%s)", condition(w, e->a), operator_text(e->kind), condition(w, e->b));
  return arena_printf(w->arena, "%s %s %s", statements_expression(w, e->a), operator_text(e->kind),
                      statements_expression(w, e->b));
}

static const char *choice(const struct statements *w, const struct expr *e) {
  const char *test = condition(w, e->a), *yes = statements_expression(w, e->b), *no = statements_expression(w, e->c);
  if (w->dialect->typed_names) return arena_printf(w->arena, "select(%s, %s, %s)", no, yes, test);
  return arena_printf(w->arena, "((%s) ? %s : %s)", test, yes, no);
}

/* Of floats: functions of their bits. */
static const char *call(const struct statements *w, const struct expr *e) {
  if (expr_is_fused(e))
    return arena_printf(w->arena, "fused(%s, %s, %s)", statements_expression(w, e->a->a),
                        statements_expression(w, e->a->b), statements_expression(w, e->b));
  const char *a = statements_expression(w, e->a);
  if (!e->b) return arena_printf(w->arena, "%s(%s)", expr_call(e->kind), a);
  return arena_printf(w->arena, "%s(%s, %s)", expr_call(e->kind), a, statements_expression(w, e->b));
}

/* As a number, in parentheses where it has parts. */
const char *statements_expression(const struct statements *w, const struct expr *e) {
  const char *natural = w->wide ? "unsigned long" : "unsigned";
  if (expr_is_condition(e->kind)) return arena_printf(w->arena, "%s(%s)", w->dialect->truth, condition(w, e));
  if (expr_is_float(e->kind)) return call(w, e);
  if (!w->wide && expr_is_low_word(e)) return statements_expression(w, e->a->a);
  switch (e->kind) {
    case EXPR_CONST:
      return arena_printf(w->arena, e->value < 0 ? "(%" PRId64 "%s)" : "%" PRId64 "%s", e->value, w->wide ? "L" : "");
    case EXPR_REG:
      return statements_register(w, w->index, e->reg);
    case EXPR_DIV:
    case EXPR_MOD:
    case EXPR_UDIV:
    case EXPR_UMOD:
    case EXPR_SHL:
    case EXPR_SHR:
      return arena_printf(w->arena, "%s(%s, %s)", operator_text(e->kind), statements_expression(w, e->a),
                          statements_expression(w, e->b));
    case EXPR_ULT:
      return arena_printf(w->arena, "((%s)%s < (%s)%s)", natural, statements_expression(w, e->a), natural,
                          statements_expression(w, e->b));
    case EXPR_NEG:
      return arena_printf(w->arena, "(-%s)", statements_expression(w, e->a));
    case EXPR_NOT:
      return arena_printf(w->arena, "(~%s)", statements_expression(w, e->a));
    case EXPR_COND:
      return choice(w, e);
    default:
      return arena_printf(w->arena, "(%s %s %s)", statements_expression(w, e->a), operator_text(e->kind),
                          statements_expression(w, e->b));
  }
}

/* ---- accesses ---- */

bool statements_atomic(const struct program *program, unsigned location) {
  INSTR_EACH (instr, program) {
    if (instr_is_access(instr) && instr->order != ORDER_NA && address_may_be(&instr->address, location)) return true;
  }
  return false;
}

bool statements_local(const struct statements *w, const struct address *address) {
  return w->program->locations[address->base].region == REGION_LOCAL;
}

static bool by_atomics(const struct statements *w, const struct address *address, enum order order) {
  return order != ORDER_NA || w->dialect->spelled ||
         (!w->dialect->mixed && statements_atomic(w->program, address->base));
}

/* As it can be spelt: no language has atomic operations at work-item scope. */
static enum scope scope_of(const struct statements *w, const struct instr *instr) {
  bool fence = instr->kind == INSTR_FENCE || instr->kind == INSTR_BARRIER;
  bool narrow = fence ? w->narrow_fences : w->narrow;
  if (instr->scope == SCOPE_NONE || (narrow && instr->scope == SCOPE_SYS)) return SCOPE_DEV;
  return instr->scope == SCOPE_WI && !fence ? SCOPE_WG : instr->scope;
}

static struct kernel_access access_of(const struct statements *w, const struct instr *instr) {
  bool memory = instr_is_access(instr);
  struct kernel_access access = {.instr = instr, .wide = w->wide, .scope = scope_of(w, instr)};
  access.order = instr->order == ORDER_NA ? ORDER_RLX : instr->order;
  if (instr->kind == INSTR_LOAD) access.order = layout_load_order(access.order);
  if (instr->kind == INSTR_STORE) access.order = layout_store_order(access.order);
  if (access.order == ORDER_CON) access.order = ORDER_ACQ;
  if (instr->kind == INSTR_CAS)
    access.failure = layout_load_order(instr->failure == ORDER_NA ? ORDER_RLX : instr->failure);
  access.type = memory && w->cell_type ? w->cell_type(w, &instr->address) : "value";
  if (memory) access.cell = w->cell(w, &instr->address, false);
  if (memory) access.local = statements_local(w, &instr->address);
  if (memory && instr->value) access.value = statements_expression(w, instr->value);
  return access;
}

static void write_atomic_load(const struct dialect *dialect, const struct kernel_access *access, FILE *out) {
  fprintf(out, "%s%s", dialect->load, access->cell);
  dialect->strength(access, out);
}

static void write_load(const struct statements *w, const struct instr *instr) {
  statements_line(w);
  if (instr->reg != NO_REG) fprintf(w->out, "%s = ", statements_register(w, w->index, (unsigned)instr->reg));
  if (by_atomics(w, &instr->address, instr->order)) {
    struct kernel_access access = access_of(w, instr);
    write_atomic_load(w->dialect, &access, w->out);
  } else {
    fputs(w->cell(w, &instr->address, true), w->out);
  }
  fputs(";\n", w->out);
}

void statements_store(const struct statements *w, const struct instr *instr) {
  statements_line(w);
  if (by_atomics(w, &instr->address, instr->order)) {
    struct kernel_access access = access_of(w, instr);
    fprintf(w->out, "%s%s, %s", w->dialect->store, access.cell, access.value);
    w->dialect->strength(&access, w->out);
  } else {
    fprintf(w->out, "%s = %s", w->cell(w, &instr->address, true), statements_expression(w, instr->value));
  }
  fputs(";\n", w->out);
}

static void write_rmw(const struct statements *w, const struct instr *instr) {
  struct kernel_access access = access_of(w, instr);
  statements_line(w);
  if (instr->reg != NO_REG) fprintf(w->out, "%s = ", statements_register(w, w->index, (unsigned)instr->reg));
  w->dialect->rmw(&access, w->out);
  w->dialect->strength(&access, w->out);
  fputs(";\n", w->out);
}

const char *statements_plain_load(const struct statements *w, const struct address *address) {
  if (!by_atomics(w, address, ORDER_NA)) return w->cell(w, address, true);
  struct text text = text_new();
  struct instr load = {.kind = INSTR_LOAD, .address = *address};
  struct kernel_access access = access_of(w, &load);
  write_atomic_load(w->dialect, &access, text.out);
  return text_keep(&text, w->arena);
}

static void write_swap(struct statements *w, const struct instr *instr) {
  struct kernel_access access = access_of(w, instr);
  fputs("{\n", statements_line(w));
  w->depth++;
  statements_declare(w, statements_value_type(w), "wanted");
  fprintf(w->out, "%s;\n",
          instr->expected_in_memory ? statements_plain_load(w, &instr->expected_at)
                                    : statements_expression(w, instr->expected));
  w->dialect->swap(&access, indent_of(w->depth), w->out);
  if (instr->reg != NO_REG) {
    const char *reg = statements_register(w, w->index, (unsigned)instr->reg);
    if (instr->returns_old)
      fprintf(statements_line(w), "%s = old;\n", reg);
    else
      fprintf(statements_line(w), "%s = %s(done);\n", reg, w->dialect->truth);
  }
  if (instr->writeback && !by_atomics(w, &instr->expected_at, ORDER_NA))
    fprintf(statements_line(w), "if (!done) { %s = old; }\n", w->cell(w, &instr->expected_at, true));
  w->depth--;
  fputs("}\n", statements_line(w));
}

void statements_barrier(const struct statements *w, const struct instr *instr) {
  struct instr barrier = *instr;
  barrier.scope = scope_of(w, instr);
  w->dialect->barrier(&barrier, indent_of(w->depth), w->out);
}

static void set_line(struct statements *w, const struct instr *instr) {
  w->line = 0;
  if (w->lines && instr && w->program->source) w->line = source_line(&w->counted, w->program->source, instr->span.at);
}

static void write_instr(struct statements *w, const struct instr *instr) {
  set_line(w, instr);
  switch (instr->kind) {
    case INSTR_LOAD:
      write_load(w, instr);
      return;
    case INSTR_STORE:
      statements_store(w, instr);
      return;
    case INSTR_RMW:
      write_rmw(w, instr);
      return;
    case INSTR_CAS:
      write_swap(w, instr);
      return;
    case INSTR_FENCE: {
      struct kernel_access access = access_of(w, instr);
      w->dialect->fence(&access, statements_line(w));
      fputs(";\n", w->out);
      return;
    }
    case INSTR_ASSIGN:
      fprintf(statements_line(w), "%s = %s;\n", statements_register(w, w->index, (unsigned)instr->reg),
              statements_expression(w, instr->value));
      return;
    case INSTR_BARRIER:
      statements_barrier(w, instr);
      return;
    default: /* jumps are flow's; the rest is ADSM */
      return;
  }
}

/* ---- control flow ---- */

static void write_flow(struct statements *w, const struct flow *flow) {
  for (; flow; flow = flow->next) {
    set_line(w, flow->instr);
    switch (flow->kind) {
      case FLOW_INSTR:
        write_instr(w, flow->instr);
        continue;
      case FLOW_BREAK:
        if (flow->instr->kind == INSTR_BRANCH)
          fprintf(statements_line(w), "if (!(%s)) { break; }\n", condition(w, flow->instr->value));
        else
          fputs("break;\n", statements_line(w));
        continue;
      case FLOW_CONTINUE:
        fputs("continue;\n", statements_line(w));
        continue;
      case FLOW_IF:
        fprintf(statements_line(w), "if (%s) {\n", condition(w, flow->instr->value));
        break;
      case FLOW_LOOP:
        fputs("for (;;) {\n", statements_line(w));
        break;
    }
    w->depth++;
    write_flow(w, flow->body);
    w->depth--;
    if (flow->other) {
      fputs("} else {\n", statements_line(w));
      w->depth++;
      write_flow(w, flow->other);
      w->depth--;
    }
    fputs("}\n", statements_line(w));
  }
}

/* Does a block begin at `at`, among instructions first .. end - 1? */
static bool is_leader(const struct thread *thread, unsigned at, unsigned first, unsigned end) {
  return at == first || instr_jumps(&thread->instrs[at - 1]) || thread_jumps_to(thread, first, end, at);
}

/* One block, and where it goes on. */
static unsigned write_block(struct statements *w, unsigned at, unsigned first, unsigned end, const char *block) {
  fprintf(statements_line(w), "case %u: {\n", at);
  w->depth++;
  const struct instr *last;
  do {
    last = &w->thread->instrs[at++];
    if (!instr_jumps(last)) write_instr(w, last);
  } while (!instr_jumps(last) && at < end && !is_leader(w->thread, at, first, end));
  if (last->kind == INSTR_BRANCH)
    fprintf(statements_line(w), "if (%s) { %s = %u; } else { %s = %u; }\n", condition(w, last->value), block, at, block,
            last->target);
  else
    fprintf(statements_line(w), "%s = %u;\n", block, last->kind == INSTR_JUMP ? last->target : at);
  if (!w->dialect->typed_names) fputs("break;\n", statements_line(w));
  w->depth--;
  fputs("}\n", statements_line(w));
  return at;
}

/* Blocks by number, for jumps that do not nest; `block` is the next one's variable. */
void statements_blocks(struct statements *w, unsigned first, unsigned end, const char *block) {
  if (first == end) return;
  fputs("for (;;) {\n", statements_line(w));
  w->depth++;
  fprintf(statements_line(w), "if (%s < %u || %s >= %u) { break; }\n", block, first, block, end);
  fprintf(statements_line(w), "switch (%s) {\n", block);
  for (unsigned at = first; at < end;) at = write_block(w, at, first, end, block);
  fprintf(statements_line(w), "default: { %s = %u; %s}\n", block, end, w->dialect->typed_names ? "" : "break; ");
  fputs("}\n", statements_line(w));
  w->depth--;
  fputs("}\n", statements_line(w));
}

/* With the language's own jumps. */
static void write_jumps(struct statements *w, unsigned first, unsigned end) {
  for (unsigned i = first; i <= end; i++) {
    const struct instr *instr = &w->thread->instrs[i];
    if (is_leader(w->thread, i, first, end)) fprintf(statements_line(w), "L%u:;\n", i);
    if (i == end) break;
    if (instr->kind == INSTR_BRANCH) {
      set_line(w, instr);
      fprintf(statements_line(w), "if (!(%s)) { goto L%u; }\n", condition(w, instr->value), instr->target);
    } else if (instr->kind == INSTR_JUMP) {
      fprintf(statements_line(w), "goto L%u;\n", instr->target);
    } else {
      write_instr(w, instr);
    }
  }
  set_line(w, NULL);
}

const char *statements_block_type(const struct statements *w) {
  return w->dialect->typed_names ? "i32" : "int";
}

const char *statements_block(const struct statements *w, unsigned t) {
  return arena_printf(w->arena, "P%u_block", t);
}

void statements_write(struct statements *w, unsigned first, unsigned end) {
  bool good;
  const char *block = statements_block(w, w->index);
  const struct flow *flow = flow_of(w->arena, w->thread, first, end, &good);
  if (good) {
    write_flow(w, flow);
    set_line(w, NULL);
    return;
  }
  if (w->jumps) {
    write_jumps(w, first, end);
    return;
  }
  statements_declare(w, statements_block_type(w), block);
  fprintf(w->out, "%u;\n", first);
  statements_blocks(w, first, end, block);
}
