/* SPDX-License-Identifier: MIT */
/* A kernel's memory and threads.
 *
 * Compilers declare arrays as bytes, and pointers as numbers: what elements an object has, its first access says,
 * unless a header or the declaration does.  Then locations are numbered anew, and the threads are read again. */
#include "checker/ptx/kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/program/header_condition.h"
#include "checker/ptx/calls.h"

enum { MOST_LOCATIONS = 4096 };

static bool fail(struct ptx_launch *l, const struct source *source, struct span span, const char *what,
                 const char *name) {
  if (!l->failed) diag_error(l->diags, source, span, "%s%s", what, name);
  l->failed = true;
  return false;
}

/* ---- values of headers ---- */

/* The numbers of a list, without its braces. */
static unsigned count_leaves(const struct initial *value) {
  unsigned count = 0;
  if (!value->list) return 1;
  for (unsigned i = 0; i < value->count; i++) count += count_leaves(&value->items[i]);
  return count;
}

static const struct initial *find_leaf(const struct initial *value, unsigned *number) {
  if (!value->list) return (*number)-- == 0 ? value : NULL;
  for (unsigned i = 0; i < value->count; i++) {
    const struct initial *leaf = find_leaf(&value->items[i], number);
    if (leaf) return leaf;
  }
  return NULL;
}

static bool has_real(const struct initial *value) {
  bool some = value->real;
  for (unsigned i = 0; i < value->count && !some; i++) some = has_real(&value->items[i]);
  return some;
}

struct width ptx_object_width(const struct ptx_object *object) {
  unsigned bits = nvptx_bits(object->type);
  return (struct width){
      .bits = bits >= 64 ? 0 : bits, .is_signed = true, .is_real = object->real, .is_long = bits >= 64};
}

/* Bytes of a variable as its declaration has them, from the lowest on; false: some are an address, or nothing says
 * what they are. */
static bool declared_value(const struct ptx_object *object, unsigned element, int64_t *value) {
  const struct ptx_variable *v = object->variable;
  unsigned bytes = nvptx_bits(object->type) / 8, declared = nvptx_bits(v->type) / 8;
  uint64_t bits = 0;
  if (!v->initialised && v->space != PTX_GLOBAL && v->space != PTX_CONST) return false;
  for (unsigned i = 0; i < bytes; i++) {
    uint64_t at = (uint64_t)element * bytes + i, number = at / declared;
    const char *text = number < v->initial.count ? v->initial.at[number] : "0";
    int64_t constant;
    if (*text == '?') return false;
    if (!ptx_constant(text, &constant)) constant = 0;
    bits |= ((uint64_t)constant >> at % declared * 8 & 0xff) << i * 8;
  }
  *value = width_fit(ptx_object_width(object), (int64_t)bits);
  return true;
}

bool ptx_object_initial(const struct ptx_object *object, unsigned element, int64_t *value) {
  const struct initial *leaf = object->input ? find_leaf(&object->input->value, &(unsigned){element}) : NULL;
  if (!leaf) return !object->pointed && declared_value(object, element, value);
  *value = header_number(ptx_object_width(object), leaf);
  return true;
}

/* ---- names ---- */

/* `_Z3sumPi_param_0` is also called `param_0`. */
static const char *short_name(const struct ptx_launch *l, const char *name) {
  size_t length = strlen(l->entry->name);
  bool whole = !strncmp(name, l->entry->name, length) && text_begins(name + length, "_param_");
  return whole ? name + length + 1 : name;
}

static struct header_input *input_of(struct ptx_launch *l, const char *name) {
  for (size_t i = 0; i < l->header.inputs.count; i++) {
    struct header_input *input = &l->header.inputs.at[i];
    if (strcmp(input->name, name) != 0 && strcmp(input->name, short_name(l, name)) != 0) continue;
    input->used = true;
    return input;
  }
  return NULL;
}

/* Does a statement name it? */
static bool is_named(const struct ptx_launch *l, const char *name) {
  size_t length = strlen(name);
  ARRAY_EACH (const struct ptx_statement, statement, l->entry->statements.at, l->entry->statements.count)
    for (const char *at = statement->text; (at = strstr(at, name)); at++) {
      char after = at[length];
      if ((at == statement->text || strchr(" [,(", at[-1])) && strchr(" ],;+-)", after)) return true;
    }
  return false;
}

/* `mp`, of what a compiler of C++ calls `_Z2mpPi`. */
static bool is_called(const char *symbol, const char *name) {
  char *after;
  if (!strcmp(symbol, name)) return true;
  if (!text_begins(symbol, "_Z")) return false;
  unsigned long length = strtoul(symbol + 2, &after, 10);
  return length == strlen(name) && !strncmp(after, name, length);
}

static bool find_entry(struct ptx_launch *l) {
  const struct ptx_module *module = &l->module;
  l->entry = &module->entries.at[0];
  if (!l->header.kernel) return true;
  ARRAY_EACH (const struct ptx_entry, entry, module->entries.at, module->entries.count)
    if (is_called(entry->name, l->header.kernel)) {
      l->entry = entry;
      return true;
    }
  const char **names = ROW_TEXTS(l->arena, module->entries.at, module->entries.count, name);
  return fail(l, module->source, l->header.kernel_span, "the module has no kernel ",
              arena_printf(l->arena, "%s; there is %s", l->header.kernel,
                           text_list(l->arena, names, module->entries.count, " and ")));
}

/* ---- objects ---- */

/* The type that a header says, or the declaration unless it is one of bytes. */
static const char *type_said(struct ptx_launch *l, const struct ptx_object *object) {
  const struct header_input *input = object->input;
  if (input && input->type) {
    if (!nvptx_bits(input->type)) fail(l, input->source, input->span, "this is no type of PTX: .", input->type);
    return input->type;
  }
  return object->pointed || !strcmp(object->variable->type, "b8") ? NULL : object->variable->type;
}

static void add_object(struct ptx_launch *l, const struct ptx_variable *variable, bool pointed) {
  struct ptx_object object = {.variable = variable, .pointed = pointed, .name = short_name(l, variable->name)};
  bool shared = variable->space == PTX_SHARED;
  object.input = input_of(l, variable->name);
  object.type = type_said(l, &object);
  if (pointed) object.holder = arena_printf(l->arena, "[%s+0]", variable->name);
  if (!pointed && !variable->count && !object.input)
    fail(l, l->module.source, variable->span, "it has no length: an @Input has to say what is in ", object.name);
  for (unsigned group = 0; group < (shared ? l->header.workgroups : 1); group++) {
    object.group = shared ? group + 1 : 0;
    if (group) object.name = arena_printf(l->arena, "%s@cta%u", short_name(l, variable->name), group);
    *vec_push(l->arena, &l->objects) = object;
  }
}

static void add_variables(struct ptx_launch *l, const struct ptx_variable *all, size_t count) {
  for (size_t i = 0; i < count && !l->failed; i++)
    if (all[i].space != PTX_LOCAL && all[i].space != PTX_PARAM &&
        (is_named(l, all[i].name) || input_of(l, all[i].name)))
      add_object(l, &all[i], false);
}

static bool is_pointer(const struct ptx_variable *parameter) {
  return nvptx_bits(parameter->type) == 64 && !parameter->array;
}

static void check_structure(struct ptx_launch *l, const struct ptx_variable *parameter,
                            const struct header_input *input, const char *name) {
  if (!input && is_named(l, parameter->name))
    fail(l, l->module.source, parameter->span,
         arena_printf(
             l->arena,
             "nothing says what is in the structure %s: write `// @Input: %s = {{0, 0}, 5}` for a pointer to two "
             "elements, and a number",
             name, name),
         "");
  if (input && !input->value.list)
    fail(l, input->source, input->value.span, "the members of a structure are expected, in braces: ", name);
}

/* Those that the kernel reads have to be given. */
static void check_parameter(struct ptx_launch *l, const struct ptx_variable *parameter) {
  const struct header_input *input = input_of(l, parameter->name);
  const char *name = short_name(l, parameter->name);
  if (ptx_is_structure(parameter)) {
    check_structure(l, parameter, input, name);
    return;
  }
  if (!input && is_pointer(parameter) && is_named(l, parameter->name))
    fail(l, l->module.source, parameter->span,
         arena_printf(l->arena,
                      "nothing says what %s points to: write `// @Input: %s = {0, 0}` for two elements, `.u64 %s = "
                      "{0}` for one of another type than the first access has, or `%s = 5` for a number",
                      name, name, name, name),
         "");
  if (!input && !is_pointer(parameter) && is_named(l, parameter->name))
    fail(l, l->module.source, parameter->span,
         arena_printf(l->arena, "nothing says what number %s is: write `// @Input: %s = 5`", name, name), "");
  if (input && input->value.list && !is_pointer(parameter))
    fail(l, input->source, input->value.span, "a number is expected, as this is no pointer: ", name);
}

/* What the members point to goes by their numbers: `param_0[1]`. */
static void add_structure(struct ptx_launch *l, const struct ptx_variable *parameter,
                          const struct header_input *input) {
  struct ptx_structure *made = vec_push(l->arena, &l->structures);
  *made = (struct ptx_structure){.parameter = parameter};
  l->failed |= !ptx_structure_members(l->arena, l->module.source, l->entry, parameter, input, &made->members, l->diags);
  for (size_t i = 0; i < made->members.all.count && !l->failed; i++) {
    const struct ptx_member *member = &made->members.all.at[i];
    if (!member->value->list) continue;
    struct ptx_variable *variable = ARENA_COPY(l->arena, struct ptx_variable, parameter, 1);
    struct header_input *own = ARENA_COPY(l->arena, struct header_input, input, 1);
    variable->name = arena_printf(l->arena, "%s[%zu]", parameter->name, i);
    own->value = *member->value;
    own->type = NULL;
    struct ptx_object object = {.variable = variable, .pointed = true, .input = own};
    object.name = arena_printf(l->arena, "%s[%zu]", short_name(l, parameter->name), i);
    object.holder = arena_printf(l->arena, "[%s+%" PRIu64 "]", parameter->name, member->offset);
    *vec_push(l->arena, &l->objects) = object;
  }
}

static void make_objects(struct ptx_launch *l) {
  ARRAY_EACH (const struct ptx_variable, parameter, l->entry->parameters.at, l->entry->parameters.count) {
    check_parameter(l, parameter);
    const struct header_input *input = input_of(l, parameter->name);
    if (l->failed || !input || !input->value.list) continue;
    if (ptx_is_structure(parameter))
      add_structure(l, parameter, input);
    else
      add_object(l, parameter, true);
  }
  add_variables(l, l->module.variables.at, l->module.variables.count);
  add_variables(l, l->entry->variables.at, l->entry->variables.count);
}

/* Numbers as PTX's type has them: of type .b32, they may also be bits of a float. */
static struct width given_width(const char *type, const struct initial *from) {
  unsigned bits = nvptx_bits(type);
  return (struct width){bits >= 64 ? 0 : bits, true, *type == 'f' || (*type == 'b' && from->real), bits >= 64};
}

static void check_numbers(struct ptx_launch *l, const char *type, const struct initial *value) {
  for (unsigned i = 0; i < value->count; i++) check_numbers(l, type, &value->items[i]);
  const char *misfit = value->list ? NULL : header_misfit(l->arena, given_width(type, value), value);
  if (misfit) fail(l, value->source, value->span, misfit, "");
}

/* Locations, by what is known of types so far; of an object of no known type, one. */
static void lay_out(struct ptx_launch *l, const unsigned **bytes, unsigned *size) {
  VEC(unsigned) sizes = {0};
  VEC(const char *) names = {0};
  ARRAY_EACH (struct ptx_object, object, l->objects.at, l->objects.count) {
    const struct ptx_variable *v = object->variable;
    unsigned element = object->type ? nvptx_bits(object->type) / 8 : 0;
    unsigned leaves = object->input ? count_leaves(&object->input->value) : 0;
    uint64_t count = 1;
    if (element) count = object->pointed || !v->count ? leaves : v->count * nvptx_bits(v->type) / 8 / element;
    if (element && leaves > count)
      fail(l, object->input->source, object->input->value.span, "more values than there are elements in ",
           object->name);
    if (count > MOST_LOCATIONS || names.count + count > MOST_LOCATIONS)
      fail(l, l->module.source, v->span,
           arena_printf(l->arena, "more elements than there can be (%d in all): ", MOST_LOCATIONS), object->name);
    if (object->type && object->input) check_numbers(l, object->type, &object->input->value);
    object->real = object->type && (*object->type == 'f' || (object->input && has_real(&object->input->value)));
    object->first = (unsigned)names.count;
    object->count = l->failed ? 0 : (unsigned)count;
    for (unsigned i = 0; i < object->count; i++) {
      *vec_push(l->arena, &names) = arena_printf(l->arena, "o%u[%u]", (unsigned)(object - l->objects.at), i);
      *vec_push(l->arena, &sizes) = element;
    }
  }
  l->location_count = *size = (unsigned)names.count;
  l->names = names.at;
  *bytes = sizes.at;
}

/* ---- threads ---- */

struct seeds {
  struct arena *arena;
  VEC(struct ptx_known) all;
};

static void seed(struct seeds *seeds, const char *name, struct ptx_known known) {
  known.reg = name;
  *vec_push(seeds->arena, &seeds->all) = known;
}

static void seed_number(struct seeds *seeds, const char *name, int64_t number) {
  seed(seeds, name, (struct ptx_known){.offset = number});
}

static void seed_special(struct seeds *seeds, const struct ptx_launch *l, unsigned thread) {
  const struct header *h = &l->header;
  unsigned block = thread / l->threads_in_block, item = thread % l->threads_in_block, lane = item % h->threads;
  for (unsigned i = 0; i < 3; i++) {
    char axis = "xyz"[i];
    seed_number(seeds, arena_printf(seeds->arena, "%%tid.%c", axis), shape_part(&h->items, item, i));
    seed_number(seeds, arena_printf(seeds->arena, "%%ctaid.%c", axis), shape_part(&h->groups, block, i));
    seed_number(seeds, arena_printf(seeds->arena, "%%ntid.%c", axis), h->items.at[i]);
    seed_number(seeds, arena_printf(seeds->arena, "%%nctaid.%c", axis), h->groups.at[i]);
  }
  seed_number(seeds, "%laneid", lane);
  seed_number(seeds, "%warpid", item / h->threads);
  seed_number(seeds, "%nwarpid", h->subgroups);
  uint32_t own = UINT32_C(1) << lane % 32;
  seed_number(seeds, "%lanemask_eq", (int32_t)own);
  seed_number(seeds, "%lanemask_lt", (int32_t)(own - 1));
  seed_number(seeds, "%lanemask_le", (int32_t)(own | (own - 1)));
  seed_number(seeds, "%lanemask_gt", (int32_t) ~(own | (own - 1)));
  seed_number(seeds, "%lanemask_ge", (int32_t) ~(own - 1));
}

static void seed_parameters(struct seeds *seeds, struct ptx_launch *l) {
  ARRAY_EACH (const struct ptx_variable, parameter, l->entry->parameters.at, l->entry->parameters.count) {
    const struct header_input *input = input_of(l, parameter->name);
    seed(seeds, parameter->name, (struct ptx_known){.kind = KNOWN_CONTENT, .content = parameter->name});
    if (!input || input->value.list || ptx_is_structure(parameter)) continue;
    struct width width = given_width(parameter->type, &input->value);
    check_numbers(l, parameter->type, &input->value);
    seed_number(seeds, arena_printf(l->arena, "[%s+0]", parameter->name), header_number(width, &input->value));
  }
}

static void seed_structures(struct seeds *seeds, struct ptx_launch *l) {
  ARRAY_EACH (const struct ptx_structure, structure, l->structures.at, l->structures.count)
    ARRAY_EACH (const struct ptx_member, member, structure->members.all.at, structure->members.all.count) {
      if (member->value->list) continue;
      struct width width = given_width(member->type, member->value);
      check_numbers(l, member->type, member->value);
      const char *name = arena_printf(l->arena, "[%s+%" PRIu64 "]", structure->parameter->name, member->offset);
      seed(seeds, name, (struct ptx_known){.offset = header_number(width, member->value), .bytes = member->bytes});
    }
}

static void seed_objects(struct seeds *seeds, const struct ptx_launch *l, unsigned thread) {
  int64_t private = 0;
  ARRAY_EACH (const struct ptx_object, object, l->objects.at, l->objects.count) {
    if (object->group && object->group != 1 + thread / l->threads_in_block) continue;
    const char *name = object->variable->name;
    if (object->holder) name = object->holder;
    seed(seeds, name, (struct ptx_known){.kind = KNOWN_PARAMETER, .parameter = 1 + object->first});
  }
  ARRAY_EACH (const struct ptx_variable, variable, l->entry->variables.at, l->entry->variables.count) {
    if (variable->space != PTX_LOCAL && variable->space != PTX_PARAM) continue;
    seed(seeds, variable->name, (struct ptx_known){.kind = KNOWN_PRIVATE, .offset = private});
    private += (int64_t)(variable->count * nvptx_bits(variable->type) / 8 + 15) / 16 * 16;
  }
}

/* What the first access of an object has found of its elements. */
static bool note_type(struct ptx_launch *l, const char *const *found) {
  for (size_t i = 0; i < l->objects.count; i++) {
    const char *type = l->objects.at[i].type ? NULL : found[l->objects.at[i].first];
    if (!type) continue;
    for (size_t k = 0; k < l->objects.count; k++)
      if (l->objects.at[k].variable == l->objects.at[i].variable) l->objects.at[k].type = type;
    return true;
  }
  return false;
}

/* false: it failed, or the threads are to be read again. */
static bool read_threads(struct ptx_launch *l, const unsigned *bytes, const char **found) {
  const struct ptx_entry *entry = l->entry;
  unsigned *locations = ARENA_ARRAY(l->arena, unsigned, l->location_count + 1u);
  for (unsigned i = 0; i < l->location_count; i++) locations[i] = i;
  l->meetings = (struct ptx_meetings){0};
  for (unsigned t = 0; t < l->threads; t++) {
    struct seeds seeds = {.arena = l->arena};
    seed_special(&seeds, l, t);
    seed_parameters(&seeds, l);
    seed_structures(&seeds, l);
    seed_objects(&seeds, l, t);
    struct ptx_kernel kernel = {.source = l->module.source,
                                .statements = entry->statements.at,
                                .statement_count = entry->statements.count,
                                .thread = arena_printf(l->arena, "P%u", t),
                                .known = seeds.all.at,
                                .known_count = seeds.all.count,
                                .locations = locations,
                                .location_count = l->location_count,
                                .bytes = bytes,
                                .found = found,
                                .names = l->names,
                                .number = t,
                                .warp = t % l->threads_in_block / l->header.threads,
                                .lane = t % l->header.threads,
                                .warp_size = l->header.threads};
    if (ptx_barriers_depend(&kernel)) {
      kernel.block = l->threads_in_block;
      kernel.meetings = &l->meetings;
      kernel.gathered = PTX_GATHERED;
    }
    l->columns[t] = (struct column){0};
    if (!ptx_read(l->arena, &kernel, &l->columns[t], l->diags)) return false;
  }
  return true;
}

/* Objects that nothing accesses have elements all the same. */
static bool settle_types(struct ptx_launch *l) {
  bool open = false;
  ARRAY_EACH (struct ptx_object, object, l->objects.at, l->objects.count) {
    if (object->type) continue;
    object->type = object->pointed ? "b32" : object->variable->type;
    open = true;
  }
  return open;
}

static void read_all(struct ptx_launch *l) {
  for (bool again = true; again && !l->failed;) {
    const unsigned *bytes;
    unsigned count;
    lay_out(l, &bytes, &count);
    const char **found = ARENA_ARRAY(l->arena, const char *, count + 1u);
    if (l->failed) return;
    bool read = read_threads(l, bytes, found);
    again = read ? settle_types(l) : note_type(l, found);
    l->failed |= !read && !again;
  }
}

/* ---- how many there are ---- */

static void configure(struct ptx_launch *l) {
  struct header *h = &l->header;
  const unsigned *shape = l->entry->shape;
  if (!h->configured && shape[0]) {
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
      h->items.at[i] = shape[i];
      threads = threads > MOST_WORK_ITEMS ? threads : threads * shape[i];
    }
    h->threads = threads > MOST_WORK_ITEMS ? MOST_WORK_ITEMS + 1 : (unsigned)threads;
  }
  l->threads_in_block = h->threads * h->subgroups;
  l->threads = l->threads_in_block * h->workgroups;
  if (l->threads > MOST_WORK_ITEMS || !l->threads)
    fail(l, l->module.source, l->entry->span, arena_printf(l->arena, "no threads, or more than %d: ", MOST_WORK_ITEMS),
         l->entry->name);
  else if (!h->configured)
    diag_warning(l->diags, l->module.source, (struct span){0, 0},
                 "no @Config says how many threads run %s, so one block of %u does; `-config 1,1,2` runs one thread in "
                 "each of two blocks",
                 l->entry->name, h->threads);
}

bool ptx_launch_read(struct arena *arena, const struct source *source, const struct header *header,
                     struct ptx_launch *l, struct diags *diags) {
  *l = (struct ptx_launch){.arena = arena, .diags = diags, .header = *header};
  if (!ptx_module_read(arena, source, &l->module, diags) || !find_entry(l)) return false;
  l->entry = ptx_calls_inline(arena, &l->module, l->entry, diags);
  if (!l->entry) return false;
  configure(l);
  if (!l->failed) make_objects(l);
  if (l->failed) return false;
  l->columns = ARENA_ARRAY(arena, struct column, l->threads);
  read_all(l);
  ARRAY_EACH (const struct header_input, input, l->header.inputs.at, l->header.inputs.count)
    if (!input->used && !l->failed)
      diag_warning(diags, input->source, input->span, "the kernel uses no parameter or variable %s", input->name);
  return !l->failed;
}

const struct ptx_object *ptx_launch_find(const struct ptx_launch *l, const char *name) {
  ARRAY_EACH (const struct ptx_object, object, l->objects.at, l->objects.count)
    if (object->group <= 1 && (!strcmp(object->name, name) || !strcmp(object->variable->name, name))) return object;
  return NULL;
}
