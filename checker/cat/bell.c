/* SPDX-License-Identifier: MIT */
/* Declarations of annotations, run: each tag becomes a set of events. */
#include "checker/cat/bell.h"

#include <ctype.h>
#include <string.h>

#include "checker/cat/bind.h"
#include "checker/cat/one_event_rmw.h"

typedef VEC(const char *) word_list;

/* The name of the set of events that have a tag. */
static struct symbol *set_name(struct eval *e, const struct symbol *tag) {
  char *name = arena_strdup(e->arena, tag->text);
  name[0] = (char)toupper((unsigned char)name[0]);
  return symbols_intern(e->symbols, name, strlen(name));
}

/* Looking through all names is work, too (bind.c). */
static bool is_bound(struct eval *e, const struct binding *env, const struct symbol *symbol) {
  uint64_t distance = 0;
  for (; env && env->symbol != symbol; env = env->next) distance++;
  return !eval_spend(e, distance / 64) || env;
}

/* The tags of one position, an enumeration or some of it. */
static bool declare_slot(struct eval *e, struct run_state *state, const struct value *slot, const struct exp *where,
                         word_list *tags) {
  const struct value *all = value_is_set(slot) ? value_as_set(e, slot) : slot;
  for (unsigned i = 0; all->kind == VALUE_SET && i < all->count && all->items[i]->kind == VALUE_TAG && !e->broken;
       i++) {
    const struct symbol *tag = all->items[i]->tag;
    struct symbol *name = set_name(e, tag);
    if (!is_bound(e, state->env, name))
      state->env = bind_name(e, state->env, name, value_node(e, predefined_tag(e, tag->text)));
    *vec_push(e->arena, tags) = tag->text;
  }
  if (all->kind == VALUE_SET && all->count && all->items[0]->kind == VALUE_TAG) return true;
  eval_error(e, where->source, where->span, "expected an enumeration, or a set of tags such as {'a, 'b}, found %s",
             value_describe(e, slot));
  return false;
}

bool bell_declare(struct runner *runner, struct run_state *state, const struct statement *statement) {
  struct eval *e = runner->eval;
  word_list tags = {0};
  const struct exp *all = statement->exp;
  for (unsigned i = 0; i < all->item_count && !runner->failed; i++) {
    const struct value *slot = eval_exp(e, state->env, all->items[i]);
    runner->failed |= !slot || !declare_slot(e, state, slot, all->items[i], &tags);
  }
  *vec_push(e->arena, &tags) = NULL;
  if (e->bell)
    *vec_push(e->arena, &e->bell->instructions) =
        (struct cat_instruction){statement->symbol->text, all->item_count, tags.at};
  return !runner->failed;
}
