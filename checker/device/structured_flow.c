/* SPDX-License-Identifier: MIT */
/* Statements from jumps.
 *
 *     block(first, end) = { loop | if | break | continue | instruction }
 *     loop: a JUMP back to where we are; the last such ends it
 *     if:   a BRANCH forward within the block; an else where a JUMP stands before its target
 */
#include "checker/device/structured_flow.h"

struct builder {
  struct arena *arena;
  const struct thread *thread;
  bool good;
};

/* The block's surroundings: the innermost loop, NO_LOOP: none. */
struct place {
  unsigned top, end; /* of the loop: its first instruction, and the one after it */
};
static const unsigned NO_LOOP = (unsigned)-1;

static const struct flow *block(struct builder *b, unsigned first, unsigned end, struct place place);

static struct flow *node(struct builder *b, enum flow_kind kind, const struct instr *instr) {
  return ARENA_MAKE(b->arena, struct flow, .kind = kind, .instr = instr);
}

/* Where the loop that begins at `first` ends, after the last jump back to it; 0: there is none. */
static unsigned loop_end(const struct builder *b, unsigned first, unsigned end) {
  for (unsigned i = end; i > first; i--)
    if (b->thread->instrs[i - 1].kind == INSTR_JUMP && b->thread->instrs[i - 1].target == first) return i;
  return 0;
}

static struct flow *if_node(struct builder *b, unsigned at, unsigned end, struct place place, unsigned *next) {
  const struct instr *instrs = b->thread->instrs;
  unsigned target = instrs[at].target;
  struct flow *flow = node(b, FLOW_IF, &instrs[at]);
  bool has_else = target > at + 1 && instrs[target - 1].kind == INSTR_JUMP && instrs[target - 1].target > target &&
                  instrs[target - 1].target <= end;
  *next = has_else ? instrs[target - 1].target : target;
  flow->body = block(b, at + 1, has_else ? target - 1 : target, place);
  if (has_else) flow->other = block(b, target, *next, place);
  return flow;
}

/* A jump that is no part of an if or the end of a loop; NULL: it does nothing.
 * The loop's last instruction is the jump back to its top. */
static struct flow *leave(struct builder *b, unsigned at, unsigned end, struct place place) {
  const struct instr *instr = &b->thread->instrs[at];
  bool looping = place.top != NO_LOOP;
  if (looping && instr->target == place.end) return node(b, FLOW_BREAK, instr);
  if (instr->kind == INSTR_JUMP && instr->target == at + 1) return NULL;
  if (instr->kind == INSTR_JUMP && at + 1 == end && instr->target == end) return NULL;
  if (looping && instr->kind == INSTR_JUMP && (instr->target == place.top || instr->target == place.end - 1))
    return node(b, FLOW_CONTINUE, instr);
  b->good = false;
  return NULL;
}

static struct flow *statement(struct builder *b, unsigned at, unsigned end, struct place place, unsigned *next) {
  const struct instr *instr = &b->thread->instrs[at];
  *next = at + 1;
  unsigned past = at == place.top ? 0 : loop_end(b, at, end);
  if (past) {
    struct flow *loop = node(b, FLOW_LOOP, instr);
    *next = past;
    loop->body = block(b, at, past - 1, (struct place){at, past});
    return loop;
  }
  if (instr->kind == INSTR_BRANCH && instr->target > at && instr->target <= end)
    return if_node(b, at, end, place, next);
  if (instr_jumps(instr)) return leave(b, at, end, place);
  return node(b, FLOW_INSTR, instr);
}

static const struct flow *block(struct builder *b, unsigned first, unsigned end, struct place place) {
  const struct flow *head = NULL, **link = &head;
  for (unsigned at = first; at < end && b->good;) {
    unsigned next;
    struct flow *flow = statement(b, at, end, place, &next);
    at = next;
    if (!flow) continue;
    *link = flow;
    link = &flow->next;
  }
  return head;
}

const struct flow *flow_of(struct arena *arena, const struct thread *thread, unsigned first, unsigned end, bool *good) {
  struct builder b = {.arena = arena, .thread = thread, .good = true};
  const struct flow *flow = block(&b, first, end, (struct place){NO_LOOP, NO_LOOP});
  *good = b.good;
  return flow;
}
