/* SPDX-License-Identifier: MIT */
/* From a program to its place on a device.
 *
 * Work-groups become parts, in the order of their first threads.  Barriers of the
 * threads of one work-group are matched by their order, as on a device. */
#include "checker/device/layout.h"


#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/vec.h"
#include "checker/program/signed_integers.h"

static bool is_atomic(const struct instr *instr) {
  return instr_is_access(instr) && instr->order != ORDER_NA;
}

/* ---- orders ---- */

enum order layout_load_order(enum order order) {
  if (order == ORDER_CON || order == ORDER_ACQ_REL) return ORDER_ACQ;
  return order == ORDER_REL ? ORDER_RLX : order;
}

enum order layout_store_order(enum order order) {
  if (order == ORDER_ACQ_REL) return ORDER_REL;
  return order == ORDER_ACQ || order == ORDER_CON ? ORDER_RLX : order;
}

/* ---- copies of a program ---- */

static struct program *copy_program(struct arena *arena, const struct program *program) {
  struct program *copy = ARENA_COPY(arena, struct program, program, 1);
  copy->threads = ARENA_ARRAY(arena, struct thread, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++) {
    struct thread *thread = &copy->threads[t];
    *thread = program->threads[t];
    thread->instrs = ARENA_COPY(arena, struct instr, program->threads[t].instrs, thread->instr_count);
  }
  return copy;
}

struct program *layout_drop_remote(struct arena *arena, const struct program *program, unsigned *dropped) {
  struct program *copy = copy_program(arena, program);
  *dropped = 0;
  INSTR_EACH (instr, copy) {
    tag_set *tags = &instr->tags;
    *dropped += tags_have(*tags, TAG_REMOTE);
    *tags &= ~tag_bit(TAG_REMOTE);
  }
  return copy;
}

struct program *layout_one_device(struct arena *arena, const struct program *program, unsigned *moved) {
  struct program *copy = copy_program(arena, program);
  *moved = 0;
  ARRAY_EACH (struct thread, thread, copy->threads, copy->thread_count) {
    *moved += thread->dev != copy->threads[0].dev;
    thread->dev = copy->threads[0].dev;
    thread->qf = copy->threads[0].qf;
  }
  return copy;
}

/* ---- programs whose operations keep their words ---- */

static bool refuse_in(const char *language, const struct program *program, const struct instr *instr, const char *what,
                      struct diags *diags) {
  return diag_error(diags, program->source, instr->span, "%s cannot express this: %s", language, what);
}

static bool refuse_in_vulkan(const struct program *program, const struct instr *instr, const char *what,
                             struct diags *diags) {
  return refuse_in("GLSL", program, instr, what, diags);
}

/* Takes the location's region from the storage class of the access. */
static bool take_class(struct program *program, const struct instr *instr, bool *taken, struct diags *diags) {
  bool local = tags_have(instr->tags, TAG_SC1);
  enum region region = local ? REGION_LOCAL : REGION_GLOBAL;
  if (!local && !tags_have(instr->tags, TAG_SC0))
    return refuse_in_vulkan(program, instr, "tests that run use storage classes 0 and 1", diags);
  for (unsigned x = instr->address.base; x < instr->address.base + address_cells(&instr->address); x++) {
    if (taken[x] && program->locations[x].region != region)
      return refuse_in_vulkan(program, instr, "the location has another storage class elsewhere", diags);
    taken[x] = true;
    program->locations[x].region = region;
  }
  bool at_once = tags_have(instr->tags, instr->kind == INSTR_LOAD ? TAG_VIS : TAG_AV) && instr->scope == SCOPE_WG;
  if (local && instr->order == ORDER_NA && !at_once)
    return refuse_in_vulkan(program, instr,
                            "accesses to shared memory are available and visible to the work-group at once", diags);
  return true;
}

/* Labels are skipped on a device: those of a work-group must come in one order. */
static bool same_barriers(const struct thread *a, const struct thread *b) {
  unsigned i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->instr_count && a->instrs[i].kind != INSTR_MEET) i++;
    while (k < b->instr_count && b->instrs[k].kind != INSTR_MEET) k++;
    if (i == a->instr_count || k == b->instr_count) return i == a->instr_count && k == b->instr_count;
    if (a->instrs[i].barrier_label != b->instrs[k].barrier_label) return false;
  }
}

static bool take_barrier(const char *language, const struct program *program, struct instr *instr,
                         struct diags *diags) {
  if (instr->kind != INSTR_MEET) return true;
  if (instr->quorum || instr->resource || instr->arrive)
    return refuse_in(language, program, instr, "all work-items of a work-group meet at its barriers", diags);
  instr->kind = INSTR_BARRIER;
  return true;
}

static bool take_vulkan(struct program *program, struct instr *instr, bool *taken, struct diags *diags) {
  if (instr->alias || instr->kind == INSTR_MARK)
    return refuse_in_vulkan(program, instr, "a second reference to a location, or an operation of the device", diags);
  if (instr_is_access(instr)) return take_class(program, instr, taken, diags);
  return take_barrier("GLSL", program, instr, diags);
}

static bool take_ptx(const struct program *program, struct instr *instr, struct diags *diags) {
  const tag_set known = tag_bit(TAG_GEN) | tag_bit(TAG_WEAK) | tag_bit(TAG_REDUCTION) | tag_bit(TAG_F);
  bool one_space = instr->kind == INSTR_FENCE && instr->regions;
  if (((instr->tags | instr->read_tags | instr->write_tags) & ~known) || instr->alias || one_space)
    return refuse_in("CUDA", program, instr, "tests that run use the generic proxy and values of 32 bits", diags);
  if (instr->kind == INSTR_RMW && instr->op == RMW_SUB)
    return refuse_in("CUDA", program, instr, "PTX has no subtraction in memory", diags);
  if (tags_have(instr->read_tags, TAG_REDUCTION) && order_acquires(instr->order))
    return refuse_in("CUDA", program, instr, "PTX's reductions are relaxed or release", diags);
  if (instr->scope == SCOPE_QF)
    return refuse_in("CUDA", program, instr, "tests that run are of blocks, without clusters of them", diags);
  if (instr->kind == INSTR_MEET) instr->scope = SCOPE_WG;
  return take_barrier("CUDA", program, instr, diags);
}

struct program *layout_keep_words(struct arena *arena, const struct program *program, enum layout_words words,
                                  struct diags *diags) {
  struct program *copy = copy_program(arena, program);
  bool *taken = ARENA_ARRAY(arena, bool, program->location_count + 1);
  copy->locations = ARENA_COPY(arena, struct location, program->locations, program->location_count);
  for (unsigned t = 0; t < copy->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    bool together = (words == WORDS_PTX || thread->qf == program->threads[0].qf) && !program->pair_count;
    for (unsigned s = 0; s < t && together; s++)
      together = program->threads[s].wg != thread->wg || same_barriers(&program->threads[s], thread);
    if (!together) {
      diag_fail(
          diags,
          "%s: a device runs tests %swithout pairs of threads that the system orders, and in which the work-items "
          "of a group come to the same barriers",
          program->source->name, words == WORDS_VULKAN ? "in one queue family, " : "");
      return NULL;
    }
    for (unsigned i = 0; i < thread->instr_count; i++)
      if (words == WORDS_PTX ? !take_ptx(copy, &copy->threads[t].instrs[i], diags)
                             : !take_vulkan(copy, &copy->threads[t].instrs[i], taken, diags))
        return NULL;
  }
  return copy;
}

static void relax(struct instr *instr) {
  if (is_atomic(instr)) {
    instr->order = ORDER_RLX;
    instr->read_tags = instr->write_tags = instr->failed_tags = 0; /* semantics of its order */
  }
  if (instr->kind == INSTR_CAS) instr->failure = ORDER_RLX;
  if (instr->kind == INSTR_FENCE) { /* a jump to the next instruction does nothing */
    instr->kind = INSTR_JUMP;
    instr->tags = 0;
  }
}

struct program *layout_relax(struct arena *arena, const struct program *program) {
  struct program *copy = copy_program(arena, program);
  for (unsigned t = 0; t < copy->thread_count; t++)
    for (unsigned i = 0; i < copy->threads[t].instr_count; i++) {
      struct instr *instr = &copy->threads[t].instrs[i];
      bool fence = instr->kind == INSTR_FENCE;
      relax(instr);
      if (fence) instr->target = i + 1;
    }
  return copy;
}

/* ---- what no device runs ---- */

static bool rmw_has_words(enum rmw_op op) {
  return op != RMW_MUL && op != RMW_DIV && op != RMW_MBARRIER && !rmw_is_float(op);
}

/* Is it one of those that every language of devices has? */
static bool has_words(const struct instr *instr) {
  bool accesses = instr_is_access(instr) && instr->kind != INSTR_LOCK && !instr->awaits;
  if (!instr_is_signed(instr) || (instr->kind == INSTR_RMW && !rmw_has_words(instr->op))) return false;
  return accesses || instr_is_control(instr) || instr->kind == INSTR_FENCE || instr->kind == INSTR_BARRIER;
}

static void refuse_annotations(const struct program *program, const struct thread *thread, bool worded,
                               struct diags *diags) {
  ARRAY_EACH (const struct instr, instr, thread->instrs, thread->instr_count) {
    tag_set tags = worded ? 0 : instr->tags | instr->read_tags | instr->write_tags;
    if (tags_have(tags, TAG_REMOTE))
      diag_error(diags, program->source, instr->span,
                 "no device has remote operations; -drop-remote runs them as ordinary ones of their scope");
    else if (tags || instr->alias || !has_words(instr))
      diag_error(diags, program->source, instr->span, "kernels cannot express this operation");
    if (tags || instr->alias || !has_words(instr)) return;
  }
}

static bool uses_location(const struct thread *thread, unsigned location) {
  ARRAY_EACH (const struct instr, instr, thread->instrs, thread->instr_count) {
    if (!instr_is_access(instr)) continue;
    if (address_may_be(&instr->address, location)) return true;
    if (instr->kind == INSTR_CAS && instr->expected_in_memory && address_may_be(&instr->expected_at, location))
      return true;
  }
  return false;
}

unsigned layout_first_user(const struct program *program, unsigned location) {
  unsigned t = 0;
  while (t < program->thread_count && !uses_location(&program->threads[t], location)) t++;
  return t;
}

static void refuse_shared_local(const struct program *program, unsigned location, struct diags *diags) {
  unsigned from = layout_first_user(program, location);
  for (unsigned t = from; t < program->thread_count; t++) {
    const struct thread *first = &program->threads[from], *thread = &program->threads[t];
    if (!uses_location(thread, location) || thread->wg == first->wg) continue;
    diag_fail(diags,
              "%s: local location '%s' is used by %s and %s of different work-groups; on a device each work-group has "
              "its own",
              program->source->name, program->locations[location].name, first->name, thread->name);
    return;
  }
}

static void refuse_what_no_device_runs(const struct program *program, bool worded, struct diags *diags) {
  if (program->object_count || program->kernel_count) {
    diag_fail(diags, "%s: ADSM tests run under their protocols (`explore`), not on a device", program->source->name);
    return;
  }
  for (unsigned t = 0; t < program->thread_count; t++) {
    refuse_annotations(program, &program->threads[t], worded, diags);
    if (program->threads[t].dev != program->threads[0].dev) {
      diag_fail(diags,
                "%s: %s and %s are on different devices; a test runs on one, -one-device puts all work-groups there",
                program->source->name, program->threads[0].name, program->threads[t].name);
      return;
    }
  }
  for (unsigned i = 0; i < program->location_count; i++)
    if (program->locations[i].region == REGION_LOCAL) refuse_shared_local(program, i, diags);
}

/* ---- places ---- */

static void place_threads(struct arena *arena, struct layout *layout) {
  const struct program *program = layout->program;
  unsigned *wg = ARENA_ARRAY(arena, unsigned, program->thread_count + 1);
  layout->threads = ARENA_ARRAY(arena, struct layout_thread, program->thread_count + 1);
  layout->parts = ARENA_ARRAY(arena, struct layout_part, program->thread_count + 1);
  for (unsigned t = 0; t < program->thread_count; t++) {
    unsigned part = 0;
    while (part < layout->part_count && wg[part] != program->threads[t].wg) part++;
    if (part == layout->part_count) wg[layout->part_count++] = program->threads[t].wg;
    layout->threads[t].part = part;
    layout->threads[t].member = layout->parts[part].members++;
    if (layout->parts[part].members > layout->members) layout->members = layout->parts[part].members;
  }
}

/* Sub-groups of a part, numbered from 0. */
static void cluster_threads(struct layout *layout) {
  const struct program *program = layout->program;
  for (unsigned t = 0; t < program->thread_count; t++) {
    unsigned next = 0;
    bool found = false;
    for (unsigned s = 0; s < t && !found; s++) {
      if (layout->threads[s].part != layout->threads[t].part) continue;
      found = program->threads[s].sg == program->threads[t].sg;
      if (found)
        layout->threads[t].cluster = layout->threads[s].cluster;
      else if (layout->threads[s].cluster >= next)
        next = layout->threads[s].cluster + 1;
    }
    layout->clustered |= found;
    if (!found) layout->threads[t].cluster = next;
    layout->apart |= layout->threads[t].cluster > 0;
  }
}

static void place_locations(struct arena *arena, struct layout *layout) {
  const struct program *program = layout->program;
  layout->cell = ARENA_ARRAY(arena, int, program->location_count + 1);
  layout->local = ARENA_ARRAY(arena, int, program->location_count + 1);
  for (unsigned i = 0; i < program->location_count; i++) {
    bool local = program->locations[i].region == REGION_LOCAL;
    layout->cell[i] = local ? -1 : (int)layout->cell_count++;
    layout->local[i] = local ? (int)layout->local_count++ : -1;
  }
}

static void list_results(struct arena *arena, struct layout *layout) {
  const struct program *program = layout->program;
  VEC(struct layout_result) results = {0};
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      if (program->threads[t].reg_names[r]) *vec_push(arena, &results) = (struct layout_result){t, r};
  layout->results = results.at;
  layout->result_count = (unsigned)results.count;
}

/* ---- barriers ---- */

/* Does control flow jump over instruction `at`, or, where `back`, back across it? */
static bool is_crossed(const struct thread *thread, unsigned at, bool back) {
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (instr->kind != INSTR_BRANCH && instr->kind != INSTR_JUMP) continue;
    if (back ? i > at && instr->target <= at : i < at && instr->target > at) return true;
  }
  return false;
}

static void find_barriers(struct arena *arena, struct layout *layout, unsigned t, struct diags *diags) {
  const struct thread *thread = &layout->program->threads[t];
  VEC(unsigned) found = {0};
  for (unsigned i = 0; i < thread->instr_count; i++) {
    if (thread->instrs[i].kind != INSTR_BARRIER) continue;
    *vec_push(arena, &found) = i;
    layout->threads[t].conditional |= is_crossed(thread, i, false);
    if (!is_crossed(thread, i, true) && !(found.count > 1 && layout->threads[t].conditional)) continue;
    diag_error(diags, layout->program->source, thread->instrs[i].span,
               "a barrier in a loop, or a second one where one is under a condition: not all work-items of a device "
               "would reach it");
    return;
  }
  layout->threads[t].barriers = found.at;
  layout->threads[t].barrier_count = (unsigned)found.count;
  if (found.count > layout->barrier_count) layout->barrier_count = (unsigned)found.count;
}

/* The k-th barriers of all threads as one: the regions of all, the widest scope.
 * All work-groups come to it, those without a barrier of their own after their
 * last instruction, and labels are skipped.  That strengthens only tests in
 * which barriers differ; and drivers are known that compile barriers of some
 * work-groups wrongly (PoCL 3.1 loses variables across them). */
static const struct instr *join_barrier(struct arena *arena, const struct layout *layout, unsigned k) {
  struct instr *joined = ARENA_NEW(arena, struct instr);
  for (unsigned t = 0; t < layout->program->thread_count; t++) {
    if (layout->threads[t].barrier_count <= k) continue;
    const struct instr *instr = &layout->program->threads[t].instrs[layout->threads[t].barriers[k]];
    unsigned regions = joined->regions | instr->regions;
    tag_set tags = joined->tags | instr->tags;
    enum scope scope = instr->scope > joined->scope ? instr->scope : joined->scope;
    *joined = *instr;
    joined->regions = regions;
    joined->tags = tags;
    joined->scope = scope;
  }
  return joined;
}

static void layout_barriers(struct arena *arena, struct layout *layout, struct diags *diags) {
  for (unsigned t = 0; t < layout->program->thread_count; t++) find_barriers(arena, layout, t, diags);
  layout->barriers = ARENA_ARRAY(arena, const struct instr *, layout->barrier_count + 1);
  for (unsigned k = 0; k < layout->barrier_count; k++) layout->barriers[k] = join_barrier(arena, layout, k);
}

/* ---- values ---- */

static bool is_wide(int64_t value) {
  return value < INT32_MIN || value > INT32_MAX;
}

/* `context`: the shift, already seen, that is half of an extension. */
static bool stays_narrow(void *context, const struct expr *part) {
  const struct expr **half = context;
  if (expr_is_low_word(part)) *half = part->a;
  if (part->kind == EXPR_SHL) return part == *half;
  return part->kind != EXPR_MUL && !(part->kind == EXPR_CONST && is_wide(part->value));
}

/* Can the expression's value need more than 32 bits where its registers do not?
 * Sums of few small numbers do not. */
static bool grows(const struct expr *e) {
  const struct expr *half = NULL;
  return !expr_visit(e, stays_narrow, &half);
}

/* Sets what needs 64 bits, of several things the first. */
static void find_wide(struct layout *layout) {
  const struct program *program = layout->program;
  for (unsigned i = 0; i < program->location_count && !layout->wide; i++)
    if (is_wide(program->locations[i].init)) layout->wide = program->locations[i].name;
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    for (unsigned r = 0; r < thread->reg_count && !layout->wide; r++)
      if (is_wide(thread->reg_init[r])) layout->wide = thread->reg_names[r] ? thread->reg_names[r] : thread->name;
    for (unsigned i = 0; i < thread->instr_count && !layout->wide; i++) {
      const struct instr *instr = &thread->instrs[i];
      if (!grows(instr->value) && !grows(instr->expected)) continue;
      layout->wide = thread->name;
      layout->widens = instr;
    }
  }
}

/* ---- what the device must offer ---- */

/* The order that a fence or an atomic operation has there. */
static enum order order_on_device(const struct instr *instr) {
  return instr->kind == INSTR_LOAD    ? layout_load_order(instr->order)
         : instr->kind == INSTR_STORE ? layout_store_order(instr->order)
                                      : instr->order;
}

const struct instr *layout_ordered(const struct layout *layout, bool fence, unsigned orders) {
  INSTR_EACH (instr, layout->program) {
    bool asked = fence ? instr->kind == INSTR_FENCE : is_atomic(instr);
    if (asked && orders >> order_on_device(instr) & 1) return instr;
  }
  return NULL;
}

static void add_need(struct layout *layout, const struct instr *instr) {
  if (instr->kind == INSTR_FENCE) {
    layout->fence_orders |= 1u << instr->order;
    layout->fence_scopes |= 1u << instr->scope;
  } else if (instr->kind == INSTR_BARRIER) {
    layout->fence_scopes |= 1u << instr->scope;
  } else if (is_atomic(instr)) {
    layout->orders |= 1u << order_on_device(instr);
    layout->narrowest |= instr->scope == SCOPE_WI;
    layout->scopes |= 1u << (instr->scope == SCOPE_WI ? SCOPE_WG : instr->scope);
  }
}

static void add_needs(struct layout *layout) {
  INSTR_EACH (instr, layout->program) add_need(layout, instr);
}

struct layout *layout_new(struct arena *arena, const struct program *program, bool worded, struct diags *diags) {
  size_t before = diags->errors;
  refuse_what_no_device_runs(program, worded, diags);
  if (diags->errors > before) return NULL;
  struct layout *layout = ARENA_MAKE(arena, struct layout, .program = program, .worded = worded);
  place_threads(arena, layout);
  cluster_threads(layout);
  place_locations(arena, layout);
  list_results(arena, layout);
  layout_barriers(arena, layout, diags);
  find_wide(layout);
  add_needs(layout);
  return diags->errors > before ? NULL : layout;
}

unsigned layout_place(const struct layout *layout, struct observable what) {
  if (what.thread < 0) {
    unsigned locals = layout->result_count, cells = locals + layout->local_count;
    return layout->cell[what.index] >= 0 ? cells + (unsigned)layout->cell[what.index]
                                         : locals + (unsigned)layout->local[what.index];
  }
  unsigned k = 0;
  while (layout->results[k].thread != (unsigned)what.thread || layout->results[k].reg != what.index) k++;
  return k;
}
