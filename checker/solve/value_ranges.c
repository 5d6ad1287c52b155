/* SPDX-License-Identifier: MIT */
/* Intervals, widened a round at a time from none. Numbers that do not fit in 64 bits wrap: then a value may be
 * anything. What conditions say counts only in the end: a path may be possible by values that come around to it. */
#include "checker/solve/value_ranges.h"

struct ranging {
  struct arena *arena;
  const struct tree *tree;
  struct range *of;
};

static bool is_read(const struct tree *tree, unsigned event) {
  return tree->events.at[event].event.kind == EVENT_READ;
}

/* Of a path's reads, by their places. */
static struct range *reads_of(const struct ranging *r, struct arena *arena, const struct tree_node *node) {
  struct range *reads = ARENA_ARRAY(arena, struct range, node->path->event_count + 1);
  for (unsigned k = 0; k < node->path->event_count; k++) reads[k] = r->of[node->events[k]];
  return reads;
}

/* Writes have what their threads say, and then reads what those of their location have. */
static bool spread(struct ranging *r, struct range *location) {
  const struct tree *tree = r->tree;
  struct arena *arena = arena_new();
  bool moved = false;
  for (size_t i = 0; i < tree->nodes.count; i++) {
    const struct tree_node *node = &tree->nodes.at[i];
    struct range *reads = NULL;
    for (unsigned k = node->first_event; k < node->path->event_count; k++) {
      unsigned e = node->events[k];
      bool known = tree->events.at[e].node != (int)i && !tree->events.at[e].differs;
      if (known || is_read(tree, e) || !node->path->events[k].value) continue;
      if (!reads) reads = reads_of(r, arena, node);
      moved |= range_widen(&r->of[e], range_of(node->path->events[k].value, reads));
    }
  }
  arena_free(arena);
  for (size_t i = 0; i < tree->events.count; i++)
    if (tree->events.at[i].event.kind == EVENT_WRITE)
      range_widen(&location[tree->events.at[i].event.location], r->of[i]);
  for (unsigned x = 0; x < tree->program->location_count && tree->holds; x++)
    location[x] = range_meet(location[x], tree->holds[x]);
  for (unsigned i = 0; i < tree->events.count; i++)
    if (is_read(tree, i)) moved |= range_widen(&r->of[i], location[tree->events.at[i].event.location]);
  return moved;
}

/* Conditions of this node hold wherever the thread comes to the other: back to where others may have come from, too. */
static const struct tree_node *first_of_stretch(const struct tree *tree, const struct tree_node *node) {
  while (node->parent != TREE_NONE && !tree_is_joined(tree, node->parent)) node = &tree->nodes.at[node->parent];
  return node;
}

/* What is left of the values up to a leaf, or to where ways meet, where conditions hold; false: they cannot. */
static bool narrow(const struct ranging *r, const struct tree_node *last, struct range *narrowed) {
  struct arena *arena = arena_new();
  struct range *reads = reads_of(r, arena, last);
  const struct tree_node *first = first_of_stretch(r->tree, last);
  bool possible = true;
  for (unsigned k = first->first_condition; k < last->path->condition_count && possible; k++)
    possible = range_require(last->path->conditions[k].value, last->path->conditions[k].nonzero, reads);
  for (unsigned k = 0; k < last->path->event_count && possible; k++)
    possible = !is_read(r->tree, last->events[k]) || !range_is_empty(reads[k]);
  for (unsigned k = first->first_event; k < last->path->event_count && possible; k++) {
    const struct expr *value = last->path->events[k].value;
    if (value)
      range_widen(&narrowed[last->events[k]], is_read(r->tree, last->events[k]) ? reads[k] : range_of(value, reads));
  }
  arena_free(arena);
  return possible;
}

struct value_ranges ranges_find(struct arena *arena, const struct tree *tree, bool thin_air) {
  size_t count = tree->events.count;
  struct ranging r = {arena, tree, ARENA_ARRAY(arena, struct range, count + 1)};
  struct range *location = ARENA_ARRAY(arena, struct range, tree->program->location_count + 1);
  struct value_ranges out = {ARENA_ARRAY(arena, struct range, count + 1),
                             ARENA_ARRAY(arena, bool, tree->nodes.count + 1)};
  for (unsigned x = 0; x < tree->program->location_count; x++) location[x] = range_none;
  for (unsigned i = 0; i < count; i++) {
    const struct tree_event *e = &tree->events.at[i];
    r.of[i] = !e->own ? range_at_first(&tree->program->locations[e->event.location]) : range_none;
    if (thin_air && is_read(tree, i)) r.of[i] = tree->holds ? tree->holds[e->event.location] : range_any;
  }
  for (size_t round = 0; round <= count && spread(&r, location); round++) continue;
  for (unsigned i = 0; i < count; i++) {
    if (range_is_empty(r.of[i])) r.of[i] = range_any;
    const struct path_event *own = tree->events.at[i].own;
    out.of[i] = own && own->value ? range_none : r.of[i];
  }
  for (size_t i = 0; i < tree->nodes.count; i++)
    out.possible[i] = (tree->nodes.at[i].end == THREAD_OPEN && !tree_is_joined(tree, (int)i)) ||
                      narrow(&r, &tree->nodes.at[i], out.of);
  return out;
}

unsigned range_bits(struct range range) {
  unsigned count = 1;
  while (count < 64 && (range.low >> (count - 1) < -1 || range.high >> (count - 1) > 0)) count++;
  return count;
}
