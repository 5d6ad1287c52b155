/* SPDX-License-Identifier: MIT */
/* The kernel's text.
 *
 * Names are made of the test's: register r0 of P0 is P0_r0, the index of
 * location x is at_x; characters that no language has in names become `_`, with
 * the register's or location's number behind them. */
#include "checker/device/kernel.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/device/flow.h"

struct writer {
  struct arena *arena;
  const struct layout *layout;
  const struct dialect *dialect;
  const struct kernel_options *options;
  const struct thread *thread; /* the one being written */
  unsigned thread_index;
  unsigned depth;
  FILE *out;
};

static const char *indent_of(unsigned depth) {
  static const char blanks[] = "                                                                ";
  size_t width = 2 * (size_t)depth, most = sizeof blanks - 1;
  return blanks + most - (width < most ? width : most);
}

/* Begins a line. */
static FILE *line(const struct writer *w) {
  fputs(indent_of(w->depth), w->out);
  return w->out;
}

const char *kernel_order(enum order order) {
  static const char *const words[] = {"relaxed", "relaxed", "acquire", "acquire", "release", "acq_rel", "seq_cst"};
  return words[order];
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

static const char *register_name(const struct writer *w, unsigned thread, unsigned reg) {
  const char *name = w->layout->program->threads[thread].reg_names[reg];
  return name ? arena_printf(w->arena, "P%u_%s", thread, clean(w->arena, name, reg))
              : arena_printf(w->arena, "P%u_t%u", thread, reg);
}

static const char *location_name(const struct writer *w, unsigned location) {
  return arena_printf(w->arena, "at_%s", clean(w->arena, w->layout->program->locations[location].name, location));
}

static const char *value_type(const struct writer *w) {
  return w->dialect->value[w->layout->wide];
}

/* `int name = `, or what the language has for it. */
static void declare(const struct writer *w, const char *type, const char *name) {
  if (w->dialect->typed_names)
    fprintf(line(w), "var %s: %s = ", name, type);
  else
    fprintf(line(w), "%s %s = ", type, name);
}

/* ---- expressions ---- */

static const char *expression(const struct writer *w, const struct expr *e);

static bool is_condition(const struct expr *e) {
  return (e->kind >= EXPR_EQ && e->kind <= EXPR_LOR) || e->kind == EXPR_LNOT;
}

static const char *operator_text(enum expr_kind kind) {
  static const char *const texts[] = {
      [EXPR_ADD] = "+",        [EXPR_SUB] = "-",    [EXPR_MUL] = "*",          [EXPR_AND] = "&",
      [EXPR_OR] = "|",         [EXPR_XOR] = "^",    [EXPR_EQ] = "==",          [EXPR_NE] = "!=",
      [EXPR_LT] = "<",         [EXPR_LE] = "<=",    [EXPR_GT] = ">",           [EXPR_GE] = ">=",
      [EXPR_DIV] = "quotient", [EXPR_MOD] = "rest", [EXPR_SHL] = "shift_left", [EXPR_SHR] = "shift_right",
      [EXPR_LAND] = "&&",      [EXPR_LOR] = "||"};
  return texts[kind];
}

/* As something that can be tested. */
static const char *condition(const struct writer *w, const struct expr *e) {
  if (!is_condition(e)) return arena_printf(w->arena, "%s != 0", expression(w, e));
  if (e->kind == EXPR_LNOT) return arena_printf(w->arena, "!(%s)", condition(w, e->a));
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR)
    return arena_printf(w->arena, "(%s) %s (%s)", condition(w, e->a), operator_text(e->kind), condition(w, e->b));
  return arena_printf(w->arena, "%s %s %s", expression(w, e->a), operator_text(e->kind), expression(w, e->b));
}

static const char *choice(const struct writer *w, const struct expr *e) {
  const char *test = condition(w, e->a), *yes = expression(w, e->b), *no = expression(w, e->c);
  if (w->dialect->typed_names) return arena_printf(w->arena, "select(%s, %s, %s)", no, yes, test);
  return arena_printf(w->arena, "((%s) ? %s : %s)", test, yes, no);
}

/* As a number, in parentheses where it has parts. */
static const char *expression(const struct writer *w, const struct expr *e) {
  if (is_condition(e)) return arena_printf(w->arena, "%s(%s)", w->dialect->truth, condition(w, e));
  switch (e->kind) {
    case EXPR_CONST:
      return arena_printf(w->arena, e->value < 0 ? "(%" PRId64 "%s)" : "%" PRId64 "%s", e->value,
                          w->layout->wide ? "L" : "");
    case EXPR_REG:
      return register_name(w, w->thread_index, e->reg);
    case EXPR_DIV:
    case EXPR_MOD:
    case EXPR_SHL:
    case EXPR_SHR:
      return arena_printf(w->arena, "%s(%s, %s)", operator_text(e->kind), expression(w, e->a), expression(w, e->b));
    case EXPR_NEG:
      return arena_printf(w->arena, "(-%s)", expression(w, e->a));
    case EXPR_NOT:
      return arena_printf(w->arena, "(~%s)", expression(w, e->a));
    case EXPR_COND:
      return choice(w, e);
    default:
      return arena_printf(w->arena, "(%s %s %s)", expression(w, e->a), operator_text(e->kind), expression(w, e->b));
  }
}

/* ---- accesses ---- */

static bool in_range(const struct address *address, unsigned location) {
  return location >= address->base && location < address->base + (address->index ? address->size : 1);
}

bool kernel_atomic(const struct layout *layout, unsigned location) {
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    for (unsigned i = 0; i < layout->program->threads[t].instr_count; i++) {
      const struct instr *instr = &layout->program->threads[t].instrs[i];
      if (instr->kind <= INSTR_CAS && instr->order != ORDER_NA && in_range(&instr->address, location)) return true;
    }
  return false;
}

static bool is_local(const struct writer *w, const struct address *address) {
  return w->layout->local[address->base] >= 0;
}

/* The index of an address among cells or locals. */
static const char *index_text(const struct writer *w, const struct address *address) {
  if (!address->index) return location_name(w, address->base);
  const char *index = arena_printf(w->arena, "within(%s, %u)", expression(w, address->index), address->size);
  if (is_local(w, address))
    return arena_printf(w->arena, "lane * LOCALS + %d + %s", w->layout->local[address->base], index);
  return arena_printf(w->arena, "(first + params[CELL + %d + %s]) * stride", w->layout->cell[address->base], index);
}

/* Where a language's atomic locations are of another type, ordinary ones have an array of their own. */
static const char *cell_text(const struct writer *w, const struct address *address, bool plain) {
  bool local = is_local(w, address);
  const char *array = plain ? (local ? "plain_locals" : "plain") : local ? "locals" : "cells";
  return arena_printf(w->arena, "%s[%s]", array, index_text(w, address));
}

static bool by_atomics(const struct writer *w, const struct address *address, enum order order) {
  return order != ORDER_NA || (!w->dialect->mixed && kernel_atomic(w->layout, address->base));
}

/* As it can be spelt: no language has atomic operations at work-item scope. */
static enum scope scope_of(const struct writer *w, const struct instr *instr) {
  bool fence = instr->kind == INSTR_FENCE || instr->kind == INSTR_BARRIER;
  bool narrow = fence ? w->options->narrow_fences : w->options->narrow;
  if (instr->scope == SCOPE_NONE || (narrow && instr->scope == SCOPE_SYS)) return SCOPE_DEV;
  return instr->scope == SCOPE_WI && !fence ? SCOPE_WG : instr->scope;
}

static struct kernel_access access_of(const struct writer *w, const struct instr *instr) {
  bool memory = instr->kind <= INSTR_CAS;
  struct kernel_access access = {.instr = instr, .wide = w->layout->wide, .scope = scope_of(w, instr)};
  access.order = instr->order == ORDER_NA ? ORDER_RLX : instr->order;
  if (instr->kind == INSTR_LOAD) access.order = layout_load_order(access.order);
  if (instr->kind == INSTR_STORE) access.order = layout_store_order(access.order);
  if (access.order == ORDER_CON) access.order = ORDER_ACQ;
  if (instr->kind == INSTR_CAS)
    access.failure = layout_load_order(instr->failure == ORDER_NA ? ORDER_RLX : instr->failure);
  if (memory) access.cell = cell_text(w, &instr->address, false);
  if (memory) access.local = is_local(w, &instr->address);
  if (memory && instr->value) access.value = expression(w, instr->value);
  return access;
}

static void write_load(const struct writer *w, const struct instr *instr) {
  line(w);
  if (instr->reg != NO_REG) fprintf(w->out, "%s = ", register_name(w, w->thread_index, (unsigned)instr->reg));
  if (by_atomics(w, &instr->address, instr->order)) {
    struct kernel_access access = access_of(w, instr);
    w->dialect->load(&access, w->out);
  } else {
    fputs(cell_text(w, &instr->address, true), w->out);
  }
  fputs(";\n", w->out);
}

static void write_store(const struct writer *w, const struct instr *instr) {
  line(w);
  if (by_atomics(w, &instr->address, instr->order)) {
    struct kernel_access access = access_of(w, instr);
    w->dialect->store(&access, w->out);
  } else {
    fprintf(w->out, "%s = %s", cell_text(w, &instr->address, true), expression(w, instr->value));
  }
  fputs(";\n", w->out);
}

static void write_rmw(const struct writer *w, const struct instr *instr) {
  struct kernel_access access = access_of(w, instr);
  line(w);
  if (instr->reg != NO_REG) fprintf(w->out, "%s = ", register_name(w, w->thread_index, (unsigned)instr->reg));
  w->dialect->rmw(&access, w->out);
  fputs(";\n", w->out);
}

static const char *plain_load(const struct writer *w, const struct address *address) {
  if (!by_atomics(w, address, ORDER_NA)) return cell_text(w, address, true);
  struct text text;
  text_open(&text);
  struct instr load = {.kind = INSTR_LOAD, .address = *address};
  struct kernel_access access = access_of(w, &load);
  w->dialect->load(&access, text.out);
  return text_keep(&text, w->arena);
}

static void write_swap(struct writer *w, const struct instr *instr) {
  struct kernel_access access = access_of(w, instr);
  fputs("{\n", line(w));
  w->depth++;
  declare(w, value_type(w), "wanted");
  fprintf(w->out, "%s;\n",
          instr->expected_in_memory ? plain_load(w, &instr->expected_at) : expression(w, instr->expected));
  w->dialect->swap(&access, indent_of(w->depth), w->out);
  if (instr->reg != NO_REG) {
    const char *reg = register_name(w, w->thread_index, (unsigned)instr->reg);
    if (instr->returns_old)
      fprintf(line(w), "%s = old;\n", reg);
    else
      fprintf(line(w), "%s = %s(done);\n", reg, w->dialect->truth);
  }
  if (instr->writeback && !by_atomics(w, &instr->expected_at, ORDER_NA))
    fprintf(line(w), "if (!done) { %s = old; }\n", cell_text(w, &instr->expected_at, true));
  w->depth--;
  fputs("}\n", line(w));
}

static void write_instr(struct writer *w, const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_LOAD:
      write_load(w, instr);
      return;
    case INSTR_STORE:
      write_store(w, instr);
      return;
    case INSTR_RMW:
      write_rmw(w, instr);
      return;
    case INSTR_CAS:
      write_swap(w, instr);
      return;
    case INSTR_FENCE: {
      struct kernel_access access = access_of(w, instr);
      w->dialect->fence(&access, line(w));
      fputs(";\n", w->out);
      return;
    }
    case INSTR_ASSIGN:
      fprintf(line(w), "%s = %s;\n", register_name(w, w->thread_index, (unsigned)instr->reg),
              expression(w, instr->value));
      return;
    default: /* jumps are flow's; barriers stand between phases; the rest is ADSM */
      return;
  }
}

/* ---- control flow ---- */

static void write_flow(struct writer *w, const struct flow *flow) {
  for (; flow; flow = flow->next) {
    switch (flow->kind) {
      case FLOW_INSTR:
        write_instr(w, flow->instr);
        continue;
      case FLOW_BREAK:
        if (flow->instr->kind == INSTR_BRANCH)
          fprintf(line(w), "if (!(%s)) { break; }\n", condition(w, flow->instr->value));
        else
          fputs("break;\n", line(w));
        continue;
      case FLOW_CONTINUE:
        fputs("continue;\n", line(w));
        continue;
      case FLOW_IF:
        fprintf(line(w), "if (%s) {\n", condition(w, flow->instr->value));
        break;
      case FLOW_LOOP:
        fputs("for (;;) {\n", line(w));
        break;
    }
    w->depth++;
    write_flow(w, flow->body);
    w->depth--;
    if (flow->other) {
      fputs("} else {\n", line(w));
      w->depth++;
      write_flow(w, flow->other);
      w->depth--;
    }
    fputs("}\n", line(w));
  }
}

static bool is_jump(const struct instr *instr) {
  return instr->kind == INSTR_BRANCH || instr->kind == INSTR_JUMP;
}

/* Does a block begin at `at`, among instructions first .. end - 1? */
static bool is_leader(const struct thread *thread, unsigned at, unsigned first, unsigned end) {
  if (at == first || is_jump(&thread->instrs[at - 1])) return true;
  for (unsigned i = first; i < end; i++)
    if (is_jump(&thread->instrs[i]) && thread->instrs[i].target == at) return true;
  return false;
}

/* One block, and where it goes on. */
static unsigned write_block(struct writer *w, unsigned at, unsigned first, unsigned end, const char *block) {
  fprintf(line(w), "case %u: {\n", at);
  w->depth++;
  const struct instr *last;
  do {
    last = &w->thread->instrs[at++];
    if (!is_jump(last)) write_instr(w, last);
  } while (!is_jump(last) && at < end && !is_leader(w->thread, at, first, end));
  if (last->kind == INSTR_BRANCH)
    fprintf(line(w), "if (%s) { %s = %u; } else { %s = %u; }\n", condition(w, last->value), block, at, block,
            last->target);
  else
    fprintf(line(w), "%s = %u;\n", block, last->kind == INSTR_JUMP ? last->target : at);
  if (!w->dialect->typed_names) fputs("break;\n", line(w));
  w->depth--;
  fputs("}\n", line(w));
  return at;
}

/* Blocks by number, for jumps that do not nest; `block` is the next one's variable. */
static void write_blocks(struct writer *w, unsigned first, unsigned end, const char *block) {
  if (first == end) return;
  fputs("for (;;) {\n", line(w));
  w->depth++;
  fprintf(line(w), "if (%s < %u || %s >= %u) { break; }\n", block, first, block, end);
  fprintf(line(w), "switch (%s) {\n", block);
  for (unsigned at = first; at < end;) at = write_block(w, at, first, end, block);
  fprintf(line(w), "default: { %s = %u; %s}\n", block, end, w->dialect->typed_names ? "" : "break; ");
  fputs("}\n", line(w));
  w->depth--;
  fputs("}\n", line(w));
}

static const char *block_type(const struct writer *w) {
  return w->dialect->typed_names ? "i32" : "int";
}

static const char *block_name(const struct writer *w, unsigned t) {
  return arena_printf(w->arena, "P%u_block", t);
}

/* A thread's instructions between two of its barriers. */
static void write_phase(struct writer *w, unsigned first, unsigned end) {
  bool good;
  const char *block = block_name(w, w->thread_index);
  if (w->layout->threads[w->thread_index].conditional) { /* the number of the next block stays from phase to phase */
    if (first) fprintf(line(w), "if (%s == %u) { %s = %u; }\n", block, first - 1, block, first);
    write_blocks(w, first, end, block);
    return;
  }
  const struct flow *flow = flow_of(w->arena, w->thread, first, end, &good);
  if (good) {
    write_flow(w, flow);
    return;
  }
  declare(w, block_type(w), block);
  fprintf(w->out, "%u;\n", first);
  write_blocks(w, first, end, block);
}

/* ---- threads and parts ---- */

/* Most threads that share a sub-group of some part. */
static unsigned cluster_room(const struct layout *layout) {
  unsigned most = 1;
  for (unsigned t = 0; t < layout->program->thread_count; t++) {
    unsigned here = 0;
    for (unsigned s = 0; s < layout->program->thread_count; s++)
      here += layout->threads[s].part == layout->threads[t].part &&
              layout->threads[s].cluster == layout->threads[t].cluster;
    if (here > most) most = here;
  }
  return most;
}

static unsigned clusters_of(const struct layout *layout) {
  unsigned most = 0;
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    if (layout->threads[t].cluster > most) most = layout->threads[t].cluster;
  return most + 1;
}

/* Work-items that the lanes of one cluster take: whole sub-groups. */
static unsigned cluster_items(const struct layout *layout, const struct kernel_options *options) {
  unsigned together = options->cluster / cluster_room(layout);
  return (options->lanes + together - 1) / together * options->cluster;
}

unsigned kernel_items(const struct layout *layout, const struct kernel_options *options) {
  if (options->cluster) return clusters_of(layout) * cluster_items(layout, options);
  return layout->members * options->lanes;
}

/* The number by which a work-item knows that it plays this thread. */
static unsigned member_number(const struct writer *w, unsigned t) {
  if (!w->options->cluster) return w->layout->threads[t].member;
  unsigned before = 0;
  for (unsigned s = 0; s < t; s++)
    before += w->layout->threads[s].part == w->layout->threads[t].part &&
              w->layout->threads[s].cluster == w->layout->threads[t].cluster;
  return w->layout->threads[t].cluster * cluster_room(w->layout) + before;
}

static void declare_registers(struct writer *w, unsigned t) {
  const struct thread *thread = &w->layout->program->threads[t];
  for (unsigned r = 0; r < thread->reg_count; r++) {
    declare(w, value_type(w), register_name(w, t, r));
    fprintf(w->out, "%" PRId64 "%s;\n", thread->reg_init[r], w->layout->wide ? "L" : "");
  }
  if (!w->layout->threads[t].conditional) return;
  declare(w, block_type(w), block_name(w, t));
  fputs("0;\n", w->out);
}

static void write_results(struct writer *w, unsigned t) {
  for (unsigned k = 0; k < w->layout->result_count; k++)
    if (w->layout->results[k].thread == t)
      fprintf(line(w), "results[%u * params[INSTANCES] + instance] = %s;\n", k,
              register_name(w, t, w->layout->results[k].reg));
}

/* Does this part use a local location?  Those that none uses are the first one's. */
static bool owns(const struct layout *layout, unsigned part, unsigned location) {
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    for (unsigned i = 0; i < layout->program->threads[t].instr_count; i++) {
      const struct instr *instr = &layout->program->threads[t].instrs[i];
      bool used = instr->kind <= INSTR_CAS && (in_range(&instr->address, location) ||
                                               (instr->expected_in_memory && in_range(&instr->expected_at, location)));
      if (used) return layout->threads[t].part == part;
    }
  return part == 0;
}

static void write_local_results(struct writer *w) {
  const struct layout *layout = w->layout;
  for (unsigned i = 0; i < layout->program->location_count; i++) {
    if (layout->local[i] < 0) continue;
    struct address address = {.base = i, .size = 1};
    unsigned part = 0;
    while (part + 1 < layout->part_count && !owns(layout, part, i)) part++;
    fprintf(line(w), "if (part == %uu && member == 0u) { results[%u * params[INSTANCES] + instance] = %s; }\n", part,
            layout->result_count + (unsigned)layout->local[i], plain_load(w, &address));
  }
}

/* A thread's phase k, for the work-items that play it. */
static void write_member(struct writer *w, unsigned t, unsigned k) {
  const struct layout_thread *place = &w->layout->threads[t];
  w->thread = &w->layout->program->threads[t];
  w->thread_index = t;
  if (k > place->barrier_count) return;
  unsigned first = k ? place->barriers[k - 1] + 1 : 0;
  bool last = k == place->barrier_count;
  fprintf(line(w), "if (member == %uu) { /* %s */\n", member_number(w, t), w->thread->name);
  w->depth++;
  write_phase(w, first, last ? w->thread->instr_count : place->barriers[k]);
  if (last && !w->layout->barrier_count) write_results(w, t);
  w->depth--;
  fputs("}\n", line(w));
}

static void write_barrier(const struct writer *w, const struct instr *instr) {
  struct instr barrier = *instr;
  barrier.scope = scope_of(w, instr);
  w->dialect->barrier(&barrier, indent_of(w->depth), w->out);
}

static bool has_phase(const struct layout *layout, unsigned part, unsigned k) {
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    if (layout->threads[t].part == part && layout->threads[t].barrier_count >= k) return true;
  return false;
}

/* Registers stay for all phases where there are several. */
static void write_part(struct writer *w, unsigned part, unsigned k) {
  const struct layout *layout = w->layout;
  if (!has_phase(layout, part, k)) return;
  fprintf(line(w), "if (part == %uu) {\n", part);
  w->depth++;
  for (unsigned t = 0; t < layout->program->thread_count && !layout->barrier_count; t++)
    if (layout->threads[t].part == part) declare_registers(w, t);
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    if (layout->threads[t].part == part) write_member(w, t, k);
  w->depth--;
  fputs("}\n", line(w));
}

static void write_parts(struct writer *w) {
  const struct layout *layout = w->layout;
  for (unsigned t = 0; t < layout->program->thread_count && layout->barrier_count; t++) declare_registers(w, t);
  for (unsigned k = 0; k <= layout->barrier_count; k++) {
    for (unsigned p = 0; p < layout->part_count; p++) write_part(w, p, k);
    if (k < layout->barrier_count) write_barrier(w, layout->barriers[k]);
  }
  for (unsigned t = 0; t < layout->program->thread_count && layout->barrier_count; t++) {
    fprintf(line(w), "if (part == %uu && member == %uu) {\n", layout->threads[t].part, member_number(w, t));
    w->depth++;
    write_results(w, t);
    w->depth--;
    fputs("}\n", line(w));
  }
}

/* ---- a step ---- */

static void index_line(const struct writer *w, const char *name, const char *value) {
  declare(w, w->dialect->index, name);
  fprintf(w->out, "%s;\n", value);
}

/* Which lane and which of its threads a work-item is. */
static void write_seat(struct writer *w) {
  const struct kernel_options *o = w->options;
  const struct layout *layout = w->layout;
  unsigned items = kernel_items(layout, o);
  const char *turned = arena_printf(w->arena, "(%s + (card >> 16u)) %% %uu", w->dialect->item, items);
  if (items == 1) {
    index_line(w, "lane", "0u");
    index_line(w, "member", "0u");
    return;
  }
  const char *member_type = w->dialect->opaque ? w->dialect->opaque : w->dialect->index;
  if (!o->cluster) {
    index_line(w, "seat", turned);
    index_line(w, "lane", arena_printf(w->arena, "seat %% %uu", o->lanes));
    declare(w, member_type, "member");
    fprintf(w->out, "seat / %uu;\n", o->lanes);
    return;
  }
  unsigned room = cluster_room(layout), together = o->cluster / room, each = cluster_items(layout, o);
  index_line(w, "seat", arena_printf(w->arena, "%s %% %uu", w->dialect->item, each));
  index_line(w, "lane",
             arena_printf(w->arena, "seat / %uu * %uu + seat %% %uu / %uu", o->cluster, together, o->cluster, room));
  declare(w, member_type, "member");
  fprintf(w->out, "%s / %uu * %uu + seat %% %uu;\n", w->dialect->item, each, room, room);
  fprintf(line(w), "if (seat %% %uu >= %uu || lane >= %uu) {\n", o->cluster, together * room, o->lanes);
  fputs("  lane = 0u; member = 65535u; /* a place that no thread has */\n", line(w));
  fputs("}\n", line(w));
}

static void write_indices(struct writer *w) {
  const struct layout *layout = w->layout;
  for (unsigned i = 0; i < layout->program->location_count; i++) {
    const char *name = location_name(w, i);
    index_line(w, name,
               layout->cell[i] >= 0 ? arena_printf(w->arena, "(first + params[CELL + %d]) * stride", layout->cell[i])
                                    : arena_printf(w->arena, "lane * LOCALS + %d", layout->local[i]));
  }
}

static void write_local_starts(struct writer *w) {
  const struct layout *layout = w->layout;
  fputs("if (member == 0u) {\n", line(w));
  w->depth++;
  for (unsigned i = 0; i < layout->program->location_count; i++) {
    if (layout->local[i] < 0) continue;
    struct expr start = {.kind = EXPR_CONST, .value = layout->program->locations[i].init};
    struct instr store = {.kind = INSTR_STORE, .address = {.base = i, .size = 1}, .value = &start};
    write_store(w, &store);
  }
  w->depth--;
  fputs("}\n", line(w));
}

static void write_meeting(struct writer *w) {
  const struct layout *layout = w->layout;
  bool several = kernel_items(layout, w->options) > 1;
  fprintf(line(w), "warm(instance, params[PRE]);\n");
  fprintf(line(w), "if (member == 0u) { patience = meet((first + params[CELL + %u]) * stride, %u, patience); }\n",
          layout->cell_count, layout->part_count);
  if (several && (layout->members > 1 || layout->local_count)) fprintf(line(w), "%s\n", w->dialect->join);
}

static void write_step(struct writer *w) {
  const struct layout *layout = w->layout;
  bool several = kernel_items(layout, w->options) > 1;
  const char *arena_text = arena_printf(w->arena, "(step * (params[GROUPS] / %uu) + role / %uu) * %uu + lane",
                                        layout->part_count, layout->part_count, w->options->lanes);
  index_line(w, "card", arena_printf(w->arena, "deal[step * params[GROUPS] + %s]", w->dialect->group));
  index_line(w, "role", "card & 65535u");
  index_line(w, "part", arena_printf(w->arena, "role %% %uu", layout->part_count));
  write_seat(w);
  index_line(w, "instance", arena_text);
  index_line(w, "first", arena_printf(w->arena, "places[instance] * %uu", layout->cell_count + 1));
  write_indices(w);
  if (layout->local_count) write_local_starts(w);
  write_meeting(w);
  write_parts(w);
  if (layout->local_count && several) fprintf(line(w), "%s\n", w->dialect->join);
  if (layout->local_count) write_local_results(w);
  if (layout->local_count && several) fprintf(line(w), "%s\n", w->dialect->join);
}

/* A group that only stresses takes no step: a loop that is not entered is compiled
 * more surely than barriers under a condition. */
static void write_loop(struct writer *w) {
  bool typed = w->dialect->typed_names;
  index_line(w, "steps", "params[STEPS]");
  index_line(w, "stride", "params[STRIDE]");
  index_line(w, "patience", "params[SPINS]");
  fprintf(line(w), "if (%s >= params[GROUPS]) {\n", w->dialect->group);
  fprintf(line(w), "  strain(%s);\n", w->dialect->group);
  fputs("  steps = 0u;\n", line(w));
  fputs("} else {\n", line(w));
  fprintf(line(w), "  gather(%s);\n", w->dialect->item);
  fputs("}\n", line(w));
  fprintf(line(w), "for (%s step%s = 0u; step < steps; step++) {\n", typed ? "var" : w->dialect->index,
          typed ? ": u32" : "");
  w->depth++;
  write_step(w);
  w->depth--;
  fputs("}\n", line(w));
  fprintf(line(w), "finish(%s);\n", w->dialect->item);
}

bool kernel_write(struct arena *arena, const struct layout *layout, const struct dialect *dialect,
                  const struct kernel_options *options, FILE *out, struct diags *diags) {
  size_t before = diags->errors;
  if (dialect->refuse) dialect->refuse(layout, diags);
  if (diags->errors > before) return false;
  struct writer w = {.arena = arena, .layout = layout, .dialect = dialect, .options = options, .depth = 1, .out = out};
  w.thread = layout->program->threads;
  dialect->prelude(layout, options, out);
  write_loop(&w);
  dialect->epilogue(layout, out);
  return true;
}
