/* SPDX-License-Identifier: MIT */
/* Places: one scalar of memory at an address, and the memory that a work-item has alone. */
#include <limits.h>
#include <spirv/unified1/spirv.h>

#include "checker/spirv/kernel_internal.h"

enum { MOST_CHOICES = 512 };

/* ---- places ---- */

const struct memory *place_object(const struct work_item *w, size_t index) {
  if (index < w->k->objects.count) return &w->k->objects.at[index];
  index -= w->k->objects.count;
  return index < w->own.count ? &w->own.at[index] : NULL;
}

/* The name of the array that an object is or ends in (a number is one of 1), how many elements it has, and the number
 * of the one at an offset; NULL: there is none. */
static const char *past_array(struct arena *arena, const struct memory *object, int64_t offset, unsigned *count,
                              int64_t *number) {
  unsigned begin;
  const struct kernel_type *array = type_tail(object->type, &begin);
  const unsigned stride = array ? array->stride : type_is_scalar(object->type) ? object->type->size : 0;
  const char *name = object->name;
  if (object->texels || !stride || offset < begin) return NULL;
  for (const struct kernel_type *type = object->type; type->kind == TYPE_STRUCT;
       type = type->members[type->count - 1]) {
    const char *member = type->member_names[type->count - 1];
    if (!member) return NULL;
    name = object->nameless && type == object->type ? member : arena_printf(arena, "%s.%s", name, member);
  }
  *count = array ? array->count : 1;
  *number = (offset - begin) / stride;
  return name;
}

static const char *outside_text(struct arena *arena, const struct memory *object, int64_t offset) {
  unsigned count;
  int64_t number;
  if (!object) return "follows a pointer to nothing";
  const char *name = past_array(arena, object, offset, &count, &number);
  if (name && number >= count)
    return arena_printf(arena, "accesses %s[%lld], but %s has %u element%s", name, (long long)number, name, count,
                        count == 1 ? "" : "s");
  return arena_printf(arena, "gets outside %s: byte %lld of %u", object->name, (long long)offset, object->type->size);
}

void place_outside(struct work_item *w, const struct memory *object, int64_t offset) {
  struct module *module = &w->k->module;
  const char *what = outside_text(w->arena, object, offset);
  if (!item_node(w)->chosen) diag_warning(module->diags, module->source, item_span(w), "P%u %s", w->number, what);
  item_undefined(w, what);
}

/* Bytes between elements, and elements within the bytes that are accessed, become one. */
static bool add_padding(struct work_item *w, const struct memory *object, int64_t offset,
                        const struct kernel_type *type) {
  int64_t end = offset + type->size;
  for (unsigned c = 0; c < object->cell_count; c++) {
    int64_t from = object->cells[c].offset, to = from + object->cells[c].type->size;
    if (from < end && offset < to && (from < offset || to > end)) return false;
  }
  if (end > object->type->size) return false;
  *vec_push(w->k->arena, &w->k->paddings) =
      (struct padding){.id = object->id, .cell = {.offset = (unsigned)offset, .type = type}};
  w->k->again = w->k->module.failed = true;
  return true;
}

static bool is_number(const struct kernel_type *type) {
  return type->kind == TYPE_INT || type->kind == TYPE_FLOAT;
}

/* How many of the cell's bytes are among those from `at` on? */
static unsigned shared_bytes(const struct memory_cell *cell, unsigned at, unsigned bytes) {
  unsigned from = cell->offset > at ? cell->offset : at, end = cell->offset + cell->type->size;
  if (end > at + bytes) end = at + bytes;
  return end > from ? end - from : 0;
}

/* Accesses that begin or end within a cell are two sizes at the same bytes. */
static void fail_size(struct work_item *w, const struct memory *object, int64_t offset, unsigned bytes) {
  unsigned cell = 0;
  for (unsigned c = 0; c < object->cell_count; c++)
    if (object->cells[c].offset <= offset) cell = c;
  module_fail(&w->k->module, item_inst(w),
              "an access of %u byte%s at byte %lld of %s, where %s has %u: accesses of different sizes to the same "
              "memory are not supported",
              bytes, bytes == 1 ? "" : "s", (long long)offset, object->name, cell_name(w->k, object, cell),
              object->cells[cell].type->size);
}

/* Does nobody write the element, so that it is what it was at first? */
static bool is_kept(const struct work_item *w, const struct memory *object, unsigned cell) {
  return object->kind == OBJECT_SHARED && w->k->settled && !w->k->settled[memory_location(object, cell)].written &&
         object->fixed && object->fixed[cell].kind == SCALAR_KNOWN;
}

bool place_grows(struct work_item *w, const struct memory *object, int64_t at) {
  unsigned offset;
  const struct kernel_type *array = type_tail(object->type, &offset);
  if (at < offset) return false;
  unsigned needed = (unsigned)((at - offset) / (array->stride ? array->stride : 1)) + 1;
  unsigned *used = &w->k->used[object->open];
  if (at < object->type->size && !object->spare) return false;
  if (*used < needed) *used = needed;
  if (at < object->type->size) return false;
  w->k->again = w->k->module.failed = true;
  return true;
}

/* Is the run-time array that it ends in of a length that no header gives?  Then that is an error. */
static bool lacks_length(struct work_item *w, const struct memory *object) {
  if (object->kind != OBJECT_SHARED || !type_is_open(object->type)) return false;
  module_fail(&w->k->module, item_inst(w),
              object->type->size ? "%s has no @Input that says how long the array at its end is"
                                 : "%s has no @Input, which would say how long it is",
              object->name);
  return true;
}

/* Of cells that other work-items cannot see, the bytes are as good as any others: is each of them a number's? */
static bool find_mixed(const struct memory *object, unsigned at, const struct kernel_type *type, struct place *place) {
  unsigned covered = 0;
  if (object->kind == OBJECT_SHARED || !is_number(type)) return false;
  for (unsigned c = 0; c < object->cell_count; c++) {
    const struct memory_cell *cell = &object->cells[c];
    if (cell->hidden || !shared_bytes(cell, at, type->size)) continue;
    if (!is_number(cell->type)) return false;
    covered += shared_bytes(cell, at, type->size);
  }
  if (covered < type->size) return false;
  place->object = object;
  place->mixed = true;
  place->at = at;
  place->bytes = type->size;
  return true;
}

static struct place place_known(struct work_item *w, struct scalar pointer, unsigned offset,
                                const struct kernel_type *type) {
  unsigned bytes = type->size;
  struct place place = {.pointer = pointer, .known = true};
  int64_t address = pointer.value + offset, room = (int64_t)1 << w->k->shift;
  const struct memory *object = address >= room ? place_object(w, (size_t)(address >> w->k->shift) - 1) : NULL;
  int64_t at = address & (room - 1);
  if (object && object->open && at < room / 2 && place_grows(w, object, at + bytes - 1)) return place;
  if (object && at >= object->type->size && at < room / 2 && lacks_length(w, object)) return place;
  for (unsigned c = 0; object && c < object->cell_count; c++)
    if (object->cells[c].offset == at && object->cells[c].type->size == bytes && !object->cells[c].hidden) {
      place.object = object;
      place.cell = c;
      place.kept = is_kept(w, object, c);
      place.coherent = object->cells[c].coherent;
      unsigned location = memory_location(object, c);
      place.address = (struct address){.base = location, .size = 1};
      place.slot = object->kind == OBJECT_OWN ? (int)(object->first + c) : -1;
      if (object->kind == OBJECT_SHARED) place.slot = w->owned[location];
      return place;
    }
  if (at >= room / 2) /* before the next one */
    place_outside(w, place_object(w, (size_t)(address >> w->k->shift)), at - room);
  else if (!object || at >= object->type->size)
    place_outside(w, object, at);
  else if (!find_mixed(object, (unsigned)at, type, &place) && !add_padding(w, object, at, type))
    fail_size(w, object, at, bytes);
  return place;
}

/* Can the pointer + `offset` be that of the cell? */
static bool reaches(const struct memory *object, unsigned cell, struct scalar pointer, unsigned offset) {
  const struct reach *reach = pointer.reach;
  int64_t at = (int64_t)object->cells[cell].offset - offset;
  if (!reach) return true;
  bool within = reach->open || (at >= reach->low && at < reach->end);
  return within && (reach->stride ? (at - reach->low) % reach->stride == 0 : at == reach->low);
}

static bool is_choice(const struct memory *object, unsigned cell, struct scalar pointer, unsigned offset,
                      unsigned bytes) {
  return object->cells[cell].type->size == bytes && !object->cells[cell].hidden &&
         reaches(object, cell, pointer, offset);
}

/* Locations from the first to the last of the cells that a pointer may point to, which only a run knows; their number.
 * The index is -1 where it points to none of them. */
static unsigned find_choices(struct work_item *w, const struct memory *object, struct scalar pointer, unsigned offset,
                             unsigned bytes, struct place *place) {
  unsigned first = UINT_MAX, last = 0, choices = 0;
  for (unsigned c = 0; c < object->cell_count; c++) {
    if (!is_choice(object, c, pointer, offset, bytes)) continue;
    unsigned location = memory_location(object, c);
    if (location < first) first = location;
    if (location > last) last = location;
    place->coherent |= object->cells[c].coherent;
    choices++;
  }
  struct scalar index = scalar_known(-1);
  for (unsigned c = object->cell_count; choices <= MOST_CHOICES && c-- > 0;) {
    if (!is_choice(object, c, pointer, offset, bytes)) continue;
    struct scalar here = scalar_known(object->address + object->cells[c].offset - offset);
    index = scalar_choose(w->arena, scalar_apply(w->arena, EXPR_EQ, pointer, here),
                          scalar_known((int64_t)memory_location(object, c) - first), index);
  }
  if (choices)
    place->address = (struct address){.base = first, .size = last - first + 1, .index = scalar_expr(w->arena, index)};
  return choices;
}

static bool are_choices_kept(const struct work_item *w, const struct memory *object, struct scalar pointer,
                             unsigned offset, unsigned bytes) {
  for (unsigned c = 0; c < object->cell_count; c++)
    if (is_choice(object, c, pointer, offset, bytes) && !is_kept(w, object, c)) return false;
  return true;
}

static struct place place_held(struct work_item *w, struct scalar pointer, unsigned offset, unsigned bytes) {
  struct place place = {.pointer = pointer, .slot = -1};
  const struct memory *object = pointer.object ? place_object(w, pointer.object - 1) : NULL;
  if (!object) {
    module_fail(&w->k->module, item_inst(w), "a pointer into memory that only a run knows is not supported");
    return place;
  }
  unsigned items = w->k->header.threads * w->k->header.subgroups * w->k->header.workgroups;
  if (object->open &&
      type_tail(object->type, NULL)->count < items) { /* one for each work-item, where nothing says more */
    w->k->used[object->open] = items;
    w->k->again = w->k->module.failed = true;
    return place;
  }
  unsigned choices = find_choices(w, object, pointer, offset, bytes, &place);
  if (!choices && lacks_length(w, object)) return place;
  if (!choices || choices > MOST_CHOICES) {
    module_fail(&w->k->module, item_inst(w), "an element of %s that only a run knows: %s", object->name,
                choices ? "it has more than 512 (an @Input for what the index comes from may make it known)"
                        : "none is of this size");
    return place;
  }
  place.object = object;
  place.bytes = bytes;
  place.pointer.value = offset;
  place.kept = are_choices_kept(w, object, pointer, offset, bytes);
  return place;
}

struct place place_find(struct work_item *w, struct scalar pointer, unsigned offset, const struct kernel_type *type) {
  if (pointer.kind == SCALAR_KNOWN) return place_known(w, pointer, offset, type);
  return place_held(w, pointer, offset, type->size);
}

/* ---- a work-item's own memory ---- */

void place_touch(struct work_item *w, const struct place *place, bool writes) {
  if (place->object->kind != OBJECT_SHARED) return;
  for (unsigned c = 0; c < place->address.size; c++) {
    struct touch *touch = &w->k->touched[place->address.base + c];
    unsigned by = place->known ? w->number + 1 : UINT_MAX;
    touch->by = touch->by && touch->by != by ? UINT_MAX : by;
    touch->written |= writes;
  }
}

bool place_is_own(const struct place *place) {
  return place->object->kind != OBJECT_SHARED || place->slot >= 0 || place->kept;
}

static struct scalar start_value(struct work_item *w, const struct memory *object, unsigned cell) {
  int64_t value;
  unsigned component = cell;
  if (object->builtin >= 0) {
    if (builtin_value(w->k, (uint32_t)object->builtin, w->number, component, &value)) return scalar_known(value);
    module_fail(&w->k->module, item_inst(w), "the built-in variable %s is not supported", object->name);
  }
  return object->fixed ? object->fixed[cell] : (struct scalar){0};
}

/* Does the host set the object, so that all work-items find the same in it? */
static bool is_passed(const struct work_item *w, const struct memory *object) {
  if (object->kind == OBJECT_FIXED) return object->storage != SpvStorageClassInput;
  bool kernels = object->address >> w->k->shift <= (int64_t)w->k->objects.count;
  return object->kind == OBJECT_OWN && kernels && w->k->module.defs[object->id]->opcode == SpvOpFunctionParameter;
}

static struct scalar own_cell(struct work_item *w, const struct memory *object, unsigned cell) {
  struct scalar own =
      object->kind == OBJECT_FIXED ? start_value(w, object, cell) : w->state.slots[object->first + cell];
  return own.kind == SCALAR_UNSET && is_passed(w, object) ? item_passed(w, object, cell) : own;
}

static struct scalar is_at(struct work_item *w, const struct place *place, unsigned cell) {
  int64_t address = place->object->address + place->object->cells[cell].offset - place->pointer.value;
  return scalar_apply(w->arena, EXPR_EQ, (struct scalar){.kind = SCALAR_HELD, .expr = place->pointer.expr},
                      scalar_known(address));
}

/* Outside all that the pointer may point to, which only a run knows, the work-item does what is undefined. */
static void check_inside(struct work_item *w, const struct place *place) {
  struct scalar some = scalar_known(0);
  for (unsigned c = place->object->cell_count; c-- > 0;) {
    if (!is_choice(place->object, c, place->pointer, (unsigned)place->pointer.value, place->bytes)) continue;
    struct scalar here = is_at(w, place, c);
    some = some.kind == SCALAR_KNOWN ? here : scalar_apply(w->arena, EXPR_LOR, some, here);
  }
  item_check_inside(w, place->object, scalar_expr(w->arena, some));
}

static struct scalar read_kept(struct work_item *w, const struct place *place) {
  struct scalar value = scalar_known(0);
  for (unsigned c = place->object->cell_count; c-- > 0;)
    if (is_choice(place->object, c, place->pointer, (unsigned)place->pointer.value, place->bytes))
      value = scalar_choose(w->arena, is_at(w, place, c), place->object->fixed[c], value);
  return value;
}

/* The bits of a number from one of them on: so many bytes. */
static struct scalar bits_from(struct work_item *w, struct scalar number, unsigned skipped, unsigned bytes) {
  struct scalar rest = scalar_apply(w->arena, EXPR_SHR, number, scalar_known((int64_t)skipped * 8));
  return scalar_unsigned(w->arena, bytes * 8, rest);
}

static struct scalar bits_at(struct work_item *w, struct scalar bits, unsigned skipped) {
  return scalar_apply(w->arena, EXPR_SHL, bits, scalar_known((int64_t)skipped * 8));
}

static struct scalar read_mixed(struct work_item *w, const struct place *place) {
  struct scalar whole = scalar_known(0);
  for (unsigned c = 0; c < place->object->cell_count; c++) {
    const struct memory_cell *cell = &place->object->cells[c];
    unsigned bytes = cell->hidden ? 0 : shared_bytes(cell, place->at, place->bytes);
    if (!bytes) continue;
    struct scalar value = own_cell(w, place->object, c);
    if (value.kind == SCALAR_UNSET) return value;
    bool before = cell->offset < place->at;
    value = bits_from(w, value, before ? place->at - cell->offset : 0, bytes);
    whole = scalar_apply(w->arena, EXPR_OR, whole, bits_at(w, value, before ? 0 : cell->offset - place->at));
  }
  return scalar_fit(w->arena, place->bytes * 8, whole);
}

static void write_mixed(struct work_item *w, const struct place *place, struct scalar value) {
  if (value.kind == SCALAR_UNSET) value = item_free_value(w);
  for (unsigned c = 0; c < place->object->cell_count; c++) {
    const struct memory_cell *cell = &place->object->cells[c];
    unsigned bytes = cell->hidden ? 0 : shared_bytes(cell, place->at, place->bytes), size = cell->type->size;
    if (!bytes) continue;
    bool before = cell->offset < place->at;
    unsigned skipped = before ? place->at - cell->offset : 0;
    struct scalar part = bits_from(w, value, before ? 0 : cell->offset - place->at, bytes), old = scalar_known(0);
    if (bytes < size) {
      uint64_t mask = ((UINT64_C(1) << bytes * 8) - 1) << skipped * 8;
      old = own_cell(w, place->object, c);
      if (old.kind == SCALAR_UNSET) old = item_free_value(w);
      old = scalar_apply(w->arena, EXPR_AND, old, scalar_known((int64_t)~mask));
    }
    part = scalar_apply(w->arena, EXPR_OR, old, bits_at(w, part, skipped));
    item_set_slot(w, place->object->first + c, scalar_fit(w->arena, size * 8, part));
  }
}

struct scalar place_read_own(struct work_item *w, const struct place *place) {
  const struct memory *object = place->object;
  if (place->mixed) return read_mixed(w, place);
  if (!place->known) check_inside(w, place);
  if (place->slot >= 0 && object->kind == OBJECT_SHARED) return w->state.slots[place->slot];
  if (place->kept) return place->known ? object->fixed[place->cell] : read_kept(w, place);
  if (place->known) return own_cell(w, object, place->cell);
  struct scalar value = {0};
  for (unsigned c = object->cell_count; c-- > 0;) {
    struct scalar here = own_cell(w, object, c);
    if (here.kind == SCALAR_UNSET || !reaches(object, c, place->pointer, (unsigned)place->pointer.value)) continue;
    value = value.kind == SCALAR_UNSET ? here : scalar_choose(w->arena, is_at(w, place, c), here, value);
  }
  return value;
}

void place_write_own(struct work_item *w, const struct place *place, struct scalar value) {
  const struct memory *object = place->object;
  if (object->kind == OBJECT_FIXED) {
    module_fail(&w->k->module, item_inst(w), "%s cannot be written", object->name);
    return;
  }
  if (place->mixed) {
    write_mixed(w, place, value);
    return;
  }
  if (place->known) {
    item_set_slot(w, (unsigned)place->slot, value);
    return;
  }
  check_inside(w, place);
  for (unsigned c = 0; c < object->cell_count; c++) {
    if (!reaches(object, c, place->pointer, (unsigned)place->pointer.value)) continue;
    struct scalar old = w->state.slots[object->first + c];
    if (old.kind == SCALAR_UNSET) old = item_free_value(w);
    item_set_slot(w, object->first + c, scalar_choose(w->arena, is_at(w, place, c), value, old));
  }
}
