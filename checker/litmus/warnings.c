/* SPDX-License-Identifier: MIT */
/* Programs that mean something else than they seem to say.
 *
 * They are legal, and every tool answers them, often with a confident `Never`:
 * atomic operations on a location that is declared as an ordinary one, whose
 * races the models then see as they are declared; scopes narrower than a device
 * in a test that places no thread, so that they reach nobody; a control barrier
 * of Vulkan with a wide scope in several work-groups, which do not meet at it.
 * One warning for each location and each barrier, and one for scopes.
 */
#include "checker/base/array.h"
#include "checker/litmus/test_draft.h"

static bool is_atomic_access(const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
      return instr->order != ORDER_NA;
    case INSTR_RMW:
    case INSTR_CAS:
      return instr->order != ORDER_NA; /* the Linux kernel's have none */
    default:
      return false;
  }
}

static struct draft_location *location_of(struct draft *draft, const struct instr *instr) {
  ARRAY_EACH (struct draft_location, location, draft->locations.at, draft->locations.count)
    if (instr->address.base >= location->first && instr->address.base < location->first + location->size)
      return location;
  return NULL;
}

static void check_location(struct draft *draft, const struct instr *instr, bool *warned) {
  if (!is_atomic_access(instr)) return;
  const struct draft_location *location = location_of(draft, instr);
  if (!location || !location->plain || location->mbarrier || warned[location - draft->locations.at]) return;
  warned[location - draft->locations.at] = true;
  diag_warning(draft->reader.diags, draft->reader.source, instr->span,
               "'%s' is not declared atomic, so models take it for an ordinary location here too; atomic_int makes it "
               "atomic",
               location->name);
}

static bool reaches_nobody(const struct draft *draft, const struct instr *instr) {
  bool scoped = instr->scope == SCOPE_SG || instr->scope == SCOPE_WG;
  return scoped && !instr->implicit_scope && instr->kind != INSTR_BARRIER && !draft->placed && draft->threads.count > 1;
}

/* Of each name of barriers: 1 + the work-group of the threads that meet there; SEVERAL. */
enum { SEVERAL = -1 };

static int *find_groups_of_barriers(const struct draft *draft) {
  int *groups = ARENA_ARRAY(draft->reader.arena, int, draft->barrier_labels.count + 1);
  ARRAY_EACH (const struct draft_thread, thread, draft->threads.at, draft->threads.count) {
    int own = (int)thread->place.wg + 1;
    for (size_t j = 0; j < thread->code.count; j++) {
      if (thread->code.at[j].kind != INSTR_MEET) continue;
      int *group = &groups[thread->code.at[j].barrier_label];
      *group = !*group || *group == own ? own : SEVERAL;
    }
  }
  return groups;
}

/* The scope of Vulkan's control barriers is that of their memory semantics: which
 * threads meet is not said, and a shader can only ask for a work-group or less. */
static void check_barrier(struct draft *draft, const struct instr *instr, int *groups) {
  if (instr->kind != INSTR_MEET || draft->dialect->language != LANG_VULKAN || instr->scope <= SCOPE_WG) return;
  if (groups[instr->barrier_label] != SEVERAL) return;
  groups[instr->barrier_label] = 0; /* it has been said */
  diag_warning(draft->reader.diags, draft->reader.source, instr->span,
               "control barrier '%s' stands in several work-groups, which do not meet at it: its scope '%s' is that of "
               "its memory semantics",
               draft->barrier_labels.at[instr->barrier_label], draft->dialect->scope_words[instr->scope]);
}

void draft_warn(struct draft *draft) {
  bool *warned = ARENA_ARRAY(draft->reader.arena, bool, draft->locations.count + 1);
  int *groups = find_groups_of_barriers(draft);
  bool scope_warned = false;
  for (size_t i = 0; i < draft->threads.count; i++)
    ARRAY_EACH (const struct instr, instr, draft->threads.at[i].code.at, draft->threads.at[i].code.count) {
      check_location(draft, instr, warned);
      check_barrier(draft, instr, groups);
      if (scope_warned || !reaches_nobody(draft, instr)) continue;
      scope_warned = true;
      diag_warning(draft->reader.diags, draft->reader.source, instr->span,
                   "the scope '%s' reaches no other thread: without a scope tree each is a work-group of its own",
                   scope_name(instr->scope));
    }
}
