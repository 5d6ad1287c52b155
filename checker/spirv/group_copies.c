/* SPDX-License-Identifier: MIT */
/* Copies that somebody makes for a work-group while its work-items go on, until these wait for the copies' events.
 *
 * It is open when an element is copied, between the call and the wait.  Half of them are copied by the first
 * work-item at the call, the others by the last work-item when it waits: then whoever uses elements before they are
 * there, or changes what is still to be copied, races with the one or the other, barriers or no.  An event is the
 * number of its copy among those of the kernel, so that what is waited for is known where the event is. */
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

enum { MOST_ELEMENTS = 1 << 16 };

static unsigned group_size(const struct work_item *w) {
  return w->k->header.threads * w->k->header.subgroups;
}

/* The object of a pointer, and the first byte there, which is not known of one that only a run knows. */
static const struct memory *object_at(const struct work_item *w, struct scalar pointer, int64_t *first) {
  int64_t room = (int64_t)1 << w->k->shift;
  bool known = pointer.kind == SCALAR_KNOWN;
  size_t number = known ? (size_t)(pointer.value >> w->k->shift) : pointer.object;
  *first = known ? pointer.value & (room - 1) : 0;
  return number ? place_object(w, number - 1) : NULL;
}

/* Element by element, each made of what its first one is made of. */
static void copy_element(struct work_item *w, const struct group_copy *copy, unsigned element) {
  int64_t first;
  const struct memory *object = object_at(w, copy->from, &first);
  const struct memory_cell *cells = object ? object->cells : NULL;
  unsigned count = object ? object->cell_count : 0, parts = 0;
  for (unsigned c = 0; c < count && !w->stopped && !w->k->module.failed; c++) {
    int64_t part = (int64_t)cells[c].offset - first;
    if (cells[c].hidden || part < 0 || part >= copy->bytes) continue;
    parts++;
    struct place from = place_find(w, copy->from, element * copy->from_step + (unsigned)part, cells[c].type);
    struct place to = from;
    if (from.object) to = place_find(w, copy->to, element * copy->to_step + (unsigned)part, cells[c].type);
    if (to.object)
      memory_store(w, &to, memory_load(w, &from, 0, item_inst(w)->operand_count), item_inst(w)->operand_count);
  }
  if (parts || w->k->module.failed || (object && object->open && place_grows(w, object, first))) return;
  place_outside(w, object, first);
}

/* Of four elements the first and the last: whether work-items use them forwards or backwards, some element is
 * another's. */
static bool is_later(unsigned element) {
  return !((element ^ element >> 1) & 1);
}

/* What is copied later, or what is not. */
static void copy_part(struct work_item *w, const struct group_copy *copy, bool later) {
  bool alone = w->k->copies_at_once || copy->from.kind != SCALAR_KNOWN || copy->to.kind != SCALAR_KNOWN;
  for (unsigned i = 0; i < copy->count && !w->stopped && !w->k->module.failed; i++)
    if ((!alone && is_later(i)) == later) copy_element(w, copy, i);
}

static bool same_copy(const struct group_copy *a, const struct group_copy *b) {
  return a->at == b->at && a->count == b->count && a->bytes == b->bytes && a->from_step == b->from_step &&
         a->to_step == b->to_step && a->before == b->before && scalar_same(a->from, b->from) &&
         scalar_same(a->to, b->to);
}

/* Its number, from 1 on; of copies whose places only a run knows, all that differs is where they stand. */
static unsigned number_of(struct work_item *w, const struct group_copy *copy) {
  struct group_copy kept = *copy;
  if (kept.from.kind != SCALAR_KNOWN) kept.from = (struct scalar){0};
  if (kept.to.kind != SCALAR_KNOWN) kept.to = (struct scalar){0};
  for (size_t i = 0; i < w->k->copies.count; i++)
    if (same_copy(&w->k->copies.at[i], &kept)) return (unsigned)i + 1;
  kept.comes = ARENA_ARRAY(w->k->arena, bool, w->k->program->thread_count);
  kept.must = ARENA_ARRAY(w->k->arena, bool, w->k->program->thread_count);
  *vec_push(w->k->arena, &w->k->copies) = kept;
  return (unsigned)w->k->copies.count;
}

/* Only memory that all work-groups have is gone through in steps. */
static bool is_local(const struct work_item *w, struct scalar pointer) {
  int64_t first;
  const struct memory *object = object_at(w, pointer, &first);
  return object && object->storage == SpvStorageClassWorkgroup;
}

/* Operands, after the scope: to, from, number, stride, event; from OpenCL C, where pointers have no types, also the
 * size of an element. */
static void eval_copy(struct work_item *w, const struct inst *inst) {
  struct scalar x[6] = {0};
  for (unsigned i = 0; i < 6 && i + 1 < inst->operand_count; i++) x[i] = item_scalar(w, inst->operands[i + 1]);
  if (inst->operand_count < 7 && !w->k->module.failed)
    x[5] = scalar_known(types_pointee(&w->k->types, item_value(w, inst->operands[1]).type)->size);
  if (w->k->module.failed) return;
  for (unsigned i = 2; i < 6; i++)
    if (x[i].kind != SCALAR_KNOWN && i != 4)
      module_fail(&w->k->module, inst, "a copy of which only a run knows the number of elements or the stride");
  int64_t count = x[2].value, bytes = x[5].value, step = bytes * x[3].value;
  if (count < 0 || count > MOST_ELEMENTS || x[3].value < 0 || x[3].value > MOST_ELEMENTS)
    module_fail(&w->k->module, inst, "a copy of more than %d elements, or so far apart", MOST_ELEMENTS);
  bool local = is_local(w, x[0]);
  struct group_copy copy = {.at = w->at,
                            .to = x[0],
                            .from = x[1],
                            .count = (unsigned)count,
                            .bytes = (unsigned)bytes,
                            .to_step = (unsigned)(local ? bytes : step),
                            .from_step = (unsigned)(local ? step : bytes),
                            .before = x[4].kind == SCALAR_KNOWN ? x[4].value : 0};
  if (w->k->module.failed) return;
  unsigned number = number_of(w, &copy);
  w->k->copies.at[number - 1].comes[w->number] = true;
  w->k->copies.at[number - 1].must[w->number] |= !item_node(w)->chosen;
  if (w->number % group_size(w) == 0) copy_part(w, &copy, false);
  if (!w->stopped) item_define_one(w, inst->result, scalar_known(number));
}

/* Copies before it that have the same event, too. */
static void await(struct work_item *w, int64_t event) {
  while (event > 0 && event <= (int64_t)w->k->copies.count && !w->stopped) {
    struct group_copy *copy = &w->k->copies.at[event - 1];
    copy->awaited = true;
    if ((w->number + 1) % group_size(w) == 0) copy_part(w, copy, true);
    event = copy->before < event ? copy->before : 0;
  }
}

/* An event that only a run knows may be any: then everything is copied at once. */
static void copy_at_once(struct kernel_code *k) {
  if (k->copies_at_once) return;
  k->copies_at_once = true;
  k->again = k->module.failed = true;
}

static void eval_wait(struct work_item *w, const struct inst *inst) {
  static const struct kernel_type event_type = {.kind = TYPE_INT, .bits = 32, .size = 4, .align = 4, .leaves = 1};
  struct scalar count = item_scalar(w, inst->operands[1]), events = item_scalar(w, inst->operands[2]);
  if (w->k->module.failed) return;
  w->k->waits = true;
  if (count.kind != SCALAR_KNOWN) copy_at_once(w->k);
  for (int64_t i = 0; i < (count.kind == SCALAR_KNOWN ? count.value : 0); i++) {
    struct place place = place_find(w, events, (unsigned)i * event_type.size, &event_type);
    if (!place.object) return;
    struct scalar event = place_read_own(w, &place);
    if (event.kind == SCALAR_HELD) copy_at_once(w->k);
    if (event.kind == SCALAR_KNOWN) await(w, event.value);
    if (w->stopped || w->k->module.failed) return;
  }
  emit_group_barrier(w);
}

/* Does somebody wait for this event, or for that of a copy before, which is the same? */
static bool is_awaited(const struct kernel_code *k, int64_t event) {
  while (event > 0 && event <= (int64_t)k->copies.count && !k->copies.at[event - 1].awaited)
    event = k->copies.at[event - 1].before < event ? k->copies.at[event - 1].before : 0;
  return event > 0;
}

/* A copy is one for its group only if all work-items come to it, with the same arguments. */
static void check_group(struct kernel_code *k, const struct group_copy *copy, unsigned first, unsigned size) {
  unsigned with = first, without = first;
  while (with < first + size && !copy->must[with]) with++;
  while (without < first + size && copy->comes[without]) without++;
  if (with < first + size && without < first + size)
    module_fail(&k->module, &k->module.insts[copy->at],
                "P%u comes to this copy, but P%u of its work-group does not, or with other arguments: the kernel is "
                "undefined",
                with, without);
}

void copies_check(struct kernel_code *k) {
  unsigned size = k->header.threads * k->header.subgroups;
  ARRAY_EACH (const struct group_copy, copy, k->copies.at, k->copies.count) {
    if (!(k->copies_at_once ? k->waits : is_awaited(k, copy - k->copies.at + 1)))
      module_fail(&k->module, &k->module.insts[copy->at],
                  "nothing waits for this copy: without wait_group_events() the kernel is undefined");
    else if (!copy->awaited)
      copy_at_once(k);
    for (unsigned g = 0; g < k->header.workgroups; g++) check_group(k, copy, g * size, size);
  }
}

bool eval_group_copy(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (inst->opcode == SpvOpGroupAsyncCopy) eval_copy(w, inst);
  if (inst->opcode == SpvOpGroupWaitEvents) eval_wait(w, inst);
  return inst->opcode == SpvOpGroupAsyncCopy || inst->opcode == SpvOpGroupWaitEvents;
}
