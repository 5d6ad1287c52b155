/* SPDX-License-Identifier: MIT */
/* The kernel's text: the loop over the steps of a launch, and who plays which
 * thread of which instance.  What threads do is statements.c's. */
#include "checker/device/kernel_writer.h"

#include <inttypes.h>

#include "checker/base/text.h"
#include "checker/device/statements.h"

const char *kernel_scope(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_NONE] = "device", [SCOPE_WI] = "work_item", [SCOPE_SG] = "sub_group", [SCOPE_WG] = "work_group",
      [SCOPE_QF] = "device",   [SCOPE_DEV] = "device",   [SCOPE_SYS] = "system"};
  return words[scope];
}

const char *kernel_order(enum order order) {
  static const char *const words[] = {"relaxed", "relaxed", "acquire", "acquire", "release", "acq_rel", "seq_cst"};
  return words[order];
}

bool kernel_atomic(const struct layout *layout, unsigned location) {
  return statements_atomic(layout->program, location);
}

/* The index of an address among cells or locals. */
static const char *index_text(const struct statements *w, const struct address *address) {
  if (!address->index) return statements_location(w, address->base);
  const char *index = arena_printf(w->arena, "within(%s, %u)", statements_expression(w, address->index), address->size);
  if (statements_local(w, address))
    return arena_printf(w->arena, "lane * LOCALS + %d + %s", w->layout->local[address->base], index);
  return arena_printf(w->arena, "(first + params[CELL + %d + %s]) * stride", w->layout->cell[address->base], index);
}

/* Where a language's atomic locations are of another type, ordinary ones have an array of their own. */
static const char *cell_text(const struct statements *w, const struct address *address, bool plain) {
  bool local = statements_local(w, address);
  const char *array = plain ? (local ? "plain_locals" : "plain") : local ? "locals" : "cells";
  return arena_printf(w->arena, "%s[%s]", array, index_text(w, address));
}

/* A thread's instructions between two of its barriers. */
static void write_phase(struct statements *w, unsigned first, unsigned end) {
  const char *block = statements_block(w, w->index);
  if (!w->layout->threads[w->index].conditional) {
    statements_write(w, first, end);
    return;
  }
  /* The number of the next block stays from phase to phase. */
  if (first) fprintf(statements_line(w), "if (%s == %u) { %s = %u; }\n", block, first - 1, block, first);
  statements_blocks(w, first, end, block);
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

unsigned kernel_lanes(const struct layout *layout, unsigned most_items) {
  enum { USUAL_LANES = 32 };
  unsigned room = most_items / layout->members;
  return room < USUAL_LANES ? room + !room : USUAL_LANES;
}

/* The number by which a work-item knows that it plays this thread. */
static unsigned member_number(const struct statements *w, unsigned t) {
  if (!w->options->cluster) return w->layout->threads[t].member;
  unsigned before = 0;
  for (unsigned s = 0; s < t; s++)
    before += w->layout->threads[s].part == w->layout->threads[t].part &&
              w->layout->threads[s].cluster == w->layout->threads[t].cluster;
  return w->layout->threads[t].cluster * cluster_room(w->layout) + before;
}

static void declare_registers(struct statements *w, unsigned t) {
  const struct thread *thread = &w->layout->program->threads[t];
  for (unsigned r = 0; r < thread->reg_count; r++) {
    statements_declare(w, statements_value_type(w), statements_register(w, t, r));
    fprintf(w->out, "%" PRId64 "%s;\n", thread->reg_init[r], w->layout->wide ? "L" : "");
  }
  if (!w->layout->threads[t].conditional) return;
  statements_declare(w, statements_block_type(w), statements_block(w, t));
  fputs("0;\n", w->out);
}

static void write_results(struct statements *w, unsigned t) {
  for (unsigned k = 0; k < w->layout->result_count; k++)
    if (w->layout->results[k].thread == t)
      fprintf(statements_line(w), "results[%u * params[INSTANCES] + instance] = %s;\n", k,
              statements_register(w, t, w->layout->results[k].reg));
}

/* Does this part use a local location?  Those that none uses are the first one's. */
static bool owns(const struct layout *layout, unsigned part, unsigned location) {
  unsigned t = layout_first_user(layout->program, location);
  return part == (t < layout->program->thread_count ? layout->threads[t].part : 0);
}

static void write_local_results(struct statements *w) {
  const struct layout *layout = w->layout;
  for (unsigned i = 0; i < layout->program->location_count; i++) {
    if (layout->local[i] < 0) continue;
    struct address address = {.base = i, .size = 1};
    unsigned part = 0;
    while (part + 1 < layout->part_count && !owns(layout, part, i)) part++;
    fprintf(statements_line(w),
            "if (part == %uu && member == 0u) { results[%u * params[INSTANCES] + instance] = %s; }\n", part,
            layout->result_count + (unsigned)layout->local[i], statements_plain_load(w, &address));
  }
}

/* A thread's phase k, for the work-items that play it. */
static void write_member(struct statements *w, unsigned t, unsigned k) {
  const struct layout_thread *place = &w->layout->threads[t];
  w->thread = &w->layout->program->threads[t];
  w->index = t;
  if (k > place->barrier_count) return;
  unsigned first = k ? place->barriers[k - 1] + 1 : 0;
  bool last = k == place->barrier_count;
  fprintf(statements_line(w), "if (member == %uu) { /* %s */\n", member_number(w, t), w->thread->name);
  w->depth++;
  write_phase(w, first, last ? w->thread->instr_count : place->barriers[k]);
  if (last && !w->layout->barrier_count) write_results(w, t);
  w->depth--;
  fputs("}\n", statements_line(w));
}

static bool has_phase(const struct layout *layout, unsigned part, unsigned k) {
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    if (layout->threads[t].part == part && layout->threads[t].barrier_count >= k) return true;
  return false;
}

/* Registers stay for all phases where there are several. */
static void write_part(struct statements *w, unsigned part, unsigned k) {
  const struct layout *layout = w->layout;
  if (!has_phase(layout, part, k)) return;
  fprintf(statements_line(w), "if (part == %uu) {\n", part);
  w->depth++;
  for (unsigned t = 0; t < layout->program->thread_count && !layout->barrier_count; t++)
    if (layout->threads[t].part == part) declare_registers(w, t);
  for (unsigned t = 0; t < layout->program->thread_count; t++)
    if (layout->threads[t].part == part) write_member(w, t, k);
  w->depth--;
  fputs("}\n", statements_line(w));
}

static void write_parts(struct statements *w) {
  const struct layout *layout = w->layout;
  for (unsigned t = 0; t < layout->program->thread_count && layout->barrier_count; t++) declare_registers(w, t);
  for (unsigned k = 0; k <= layout->barrier_count; k++) {
    for (unsigned p = 0; p < layout->part_count; p++) write_part(w, p, k);
    if (k < layout->barrier_count) statements_barrier(w, layout->barriers[k]);
  }
  for (unsigned t = 0; t < layout->program->thread_count && layout->barrier_count; t++) {
    fprintf(statements_line(w), "if (part == %uu && member == %uu) {\n", layout->threads[t].part, member_number(w, t));
    w->depth++;
    write_results(w, t);
    w->depth--;
    fputs("}\n", statements_line(w));
  }
}

/* ---- a step ---- */

static void index_line(const struct statements *w, const char *name, const char *value) {
  statements_declare(w, w->dialect->index, name);
  fprintf(w->out, "%s;\n", value);
}

/* Which lane and which of its threads a work-item is. */
static void write_seat(struct statements *w) {
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
    statements_declare(w, member_type, "member");
    fprintf(w->out, "seat / %uu;\n", o->lanes);
    return;
  }
  unsigned room = cluster_room(layout), together = o->cluster / room, each = cluster_items(layout, o);
  index_line(w, "seat", arena_printf(w->arena, "%s %% %uu", w->dialect->item, each));
  index_line(w, "lane",
             arena_printf(w->arena, "seat / %uu * %uu + seat %% %uu / %uu", o->cluster, together, o->cluster, room));
  statements_declare(w, member_type, "member");
  fprintf(w->out, "%s / %uu * %uu + seat %% %uu;\n", w->dialect->item, each, room, room);
  fprintf(statements_line(w), "if (seat %% %uu >= %uu || lane >= %uu) {\n", o->cluster, together * room, o->lanes);
  fputs("  lane = 0u; member = 65535u; /* a place that no thread has */\n", statements_line(w));
  fputs("}\n", statements_line(w));
}

static void write_indices(struct statements *w) {
  const struct layout *layout = w->layout;
  for (unsigned i = 0; i < layout->program->location_count; i++) {
    bool used = layout_first_user(layout->program, i) < layout->program->thread_count;
    if (layout->cell[i] >= 0 && !used) continue; /* named by the condition alone */
    const char *name = statements_location(w, i);
    index_line(w, name,
               layout->cell[i] >= 0 ? arena_printf(w->arena, "(first + params[CELL + %d]) * stride", layout->cell[i])
                                    : arena_printf(w->arena, "lane * LOCALS + %d", layout->local[i]));
  }
}

static void write_local_starts(struct statements *w) {
  const struct layout *layout = w->layout;
  fputs("if (member == 0u) {\n", statements_line(w));
  w->depth++;
  for (unsigned i = 0; i < layout->program->location_count; i++) {
    if (layout->local[i] < 0) continue;
    struct expr start = {.kind = EXPR_CONST, .value = layout->program->locations[i].init};
    struct instr store = {.kind = INSTR_STORE, .address = {.base = i, .size = 1}, .value = &start};
    statements_store(w, &store);
  }
  w->depth--;
  fputs("}\n", statements_line(w));
}

static void write_meeting(struct statements *w) {
  const struct layout *layout = w->layout;
  bool several = kernel_items(layout, w->options) > 1;
  fprintf(statements_line(w), "warm(instance, params[PRE]);\n");
  fprintf(statements_line(w),
          "if (member == 0u) { patience = meet((first + params[CELL + %u]) * stride, %u, patience); }\n",
          layout->cell_count, layout->part_count);
  if (several && (layout->members > 1 || layout->local_count)) fprintf(statements_line(w), "%s\n", w->dialect->join);
}

static void write_step(struct statements *w) {
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
  if (layout->local_count && several) fprintf(statements_line(w), "%s\n", w->dialect->join);
  if (layout->local_count) write_local_results(w);
  if (layout->local_count && several) fprintf(statements_line(w), "%s\n", w->dialect->join);
}

/* A group that only stresses takes no step: a loop that is not entered is compiled
 * more surely than barriers under a condition. */
static void write_loop(struct statements *w) {
  bool typed = w->dialect->typed_names;
  index_line(w, "steps", "params[STEPS]");
  index_line(w, "stride", "params[STRIDE]");
  index_line(w, "patience", "params[SPINS]");
  fprintf(statements_line(w), "if (%s >= params[GROUPS]) {\n", w->dialect->group);
  fprintf(statements_line(w), "  strain(%s);\n", w->dialect->group);
  fputs("  steps = 0u;\n", statements_line(w));
  fputs("} else {\n", statements_line(w));
  fprintf(statements_line(w), "  gather(%s);\n", w->dialect->item);
  fputs("}\n", statements_line(w));
  fprintf(statements_line(w), "for (%s step%s = 0u; step < steps; step++) {\n", typed ? "var" : w->dialect->index,
          typed ? ": u32" : "");
  w->depth++;
  write_step(w);
  w->depth--;
  fputs("}\n", statements_line(w));
  fprintf(statements_line(w), "finish(%s);\n", w->dialect->item);
}

const char *kernel_write(struct arena *arena, const struct layout *layout, const struct dialect *dialect,
                         const struct kernel_options *options, struct diags *diags) {
  size_t before = diags->errors;
  if (dialect->refuse) dialect->refuse(layout, diags);
  if (diags->errors > before) return NULL;
  struct text text = text_new();
  struct statements w = {.arena = arena,
                         .program = layout->program,
                         .dialect = dialect,
                         .cell = cell_text,
                         .layout = layout,
                         .options = options,
                         .wide = layout->wide,
                         .narrow = options->narrow,
                         .narrow_fences = options->narrow_fences,
                         .depth = 1,
                         .out = text.out};
  w.thread = layout->program->threads;
  dialect->prelude(layout, options, text.out);
  write_loop(&w);
  fputs("}\n", text.out);
  return text_keep(&text, arena);
}
