/* SPDX-License-Identifier: MIT */
/* Statements of threads in C's: tree to instructions. */
#include <assert.h>

#include "checker/litmus/lowering.h"

static void lower_statement(struct lowering *l, const struct ast_stmt *s);

static void lower_if(struct lowering *l, const struct ast_stmt *s) {
  unsigned branch = lowering_condition(l, s->a);
  lower_statement(l, s->body);
  if (s->otherwise) {
    unsigned jump = lowering_jump(l, s->span);
    lowering_patch(l, branch, lowering_here(l));
    lower_statement(l, s->otherwise);
    lowering_patch(l, jump, lowering_here(l));
  } else {
    lowering_patch(l, branch, lowering_here(l));
  }
}

static void lower_body(struct lowering *l, const struct ast_stmt *s, struct loop *loop) {
  loop->outer = l->loop;
  l->loop = loop;
  lower_statement(l, s->body);
  l->loop = loop->outer;
  for (size_t i = 0; i < loop->continues.count; i++) lowering_patch(l, loop->continues.at[i], lowering_here(l));
}

static void close_loop(struct lowering *l, const struct loop *loop) {
  for (size_t i = 0; i < loop->breaks.count; i++) lowering_patch(l, loop->breaks.at[i], lowering_here(l));
}

/* while and for: top: unless a goto end; body; step; goto top; end: */
static void lower_while(struct lowering *l, const struct ast_stmt *s) {
  struct loop loop = {0};
  if (s->first) lower_statement(l, s->first);
  unsigned top = lowering_here(l);
  if (s->a) *vec_push(l->draft->reader.arena, &loop.breaks) = lowering_condition(l, s->a);
  lower_body(l, s, &loop);
  if (s->step) lowering_effect(l, s->step);
  lowering_patch(l, lowering_jump(l, s->span), top);
  close_loop(l, &loop);
}

static void lower_do(struct lowering *l, const struct ast_stmt *s) {
  struct loop loop = {0};
  unsigned top = lowering_here(l);
  lower_body(l, s, &loop);
  *vec_push(l->draft->reader.arena, &loop.breaks) = lowering_condition(l, s->a);
  lowering_patch(l, lowering_jump(l, s->span), top);
  close_loop(l, &loop);
}

static void lower_leave(struct lowering *l, const struct ast_stmt *s) {
  if (!l->loop) {
    reader_fail(&l->draft->reader, s->span, "'%s' outside a loop", s->kind == AST_BREAK ? "break" : "continue");
    return;
  }
  unsigned jump = lowering_jump(l, s->span);
  if (s->kind == AST_BREAK)
    *vec_push(l->draft->reader.arena, &l->loop->breaks) = jump;
  else
    *vec_push(l->draft->reader.arena, &l->loop->continues) = jump;
}

static void lower_barrier(struct lowering *l, const struct ast_stmt *s) {
  struct instr *instr = lowering_emit(l, INSTR_BARRIER, s->span);
  instr->regions = s->regions;
  instr->scope = s->scope;
  if (s->name) instr->barrier_label = draft_barrier_label(l->draft, s->name);
}

static void declare_array(struct lowering *l, const struct ast_stmt *s) {
  struct draft *draft = l->draft;
  if (lowering_is_parameter(l, s->name) || draft_find_register(l->thread, s->name) >= 0 ||
      lowering_find_array(l, s->name)) {
    reader_fail(&draft->reader, s->span, "'%s' is already there", s->name);
    return;
  }
  struct array *array = vec_push(draft->reader.arena, &l->arrays);
  *array = (struct array){s->name, (unsigned)l->thread->registers.count, s->cells};
  for (unsigned cell = 0; cell < s->cells; cell++) {
    const char *name = arena_printf(draft->reader.arena, "%s[%u]", s->name, cell);
    lowering_mark_assigned(l, draft_use_register(draft, l->thread, name, s->span));
  }
  for (unsigned cell = 0; s->values.count && cell < s->cells; cell++)
    lowering_assign(l, array->first + cell,
                    cell < s->values.count ? lowering_value(l, s->values.at[cell]) : draft_constant(draft, 0), s->span);
}

static unsigned declare_register(struct lowering *l, const struct ast_stmt *s) {
  if (lowering_is_parameter(l, s->name))
    reader_fail(&l->draft->reader, s->span, "'%s' is already a parameter of the thread", s->name);
  unsigned reg = draft_use_register(l->draft, l->thread, s->name, s->span);
  lowering_mark_assigned(l, reg);
  return reg;
}

static void lower_declaration(struct lowering *l, const struct ast_stmt *s) {
  if (s->cells) {
    declare_array(l, s);
    return;
  }
  unsigned reg = declare_register(l, s);
  if (reg < l->thread->registers.count) {
    l->thread->registers.at[reg].pointer |= s->pointer;
    l->thread->registers.at[reg].declared = true;
    l->thread->registers.at[reg].width = s->width;
  }
  if (s->a) lowering_kept_into(l, s->a, reg, s->pointer, s->span);
}

static void lower_statement(struct lowering *l, const struct ast_stmt *s) {
  if (l->draft->reader.failed) return;
  switch (s->kind) {
    case AST_EMPTY:
      return;
    case AST_EXPRESSION:
      lowering_effect(l, s->a);
      return;
    case AST_DECLARE:
      lower_declaration(l, s);
      return;
    case AST_SEQUENCE:
      for (const struct ast_stmt *link = s->body; link; link = link->next) lower_statement(l, link->first);
      return;
    case AST_IF:
      lower_if(l, s);
      return;
    case AST_WHILE:
    case AST_FOR:
      lower_while(l, s);
      return;
    case AST_DO:
      lower_do(l, s);
      return;
    case AST_BREAK:
    case AST_CONTINUE:
      lower_leave(l, s);
      return;
    case AST_RETURN:
      *vec_push(l->draft->reader.arena, &l->returns) = lowering_jump(l, s->span);
      return;
    case AST_BARRIER:
      lower_barrier(l, s);
      return;
    case AST_ADSM:
      assert(l->own); /* it alone has these */
      l->own->action(l, s->adsm);
      return;
  }
}

void lowering_body(struct lowering *l, const struct ast_stmt *s) {
  size_t first = l->returns.count;
  lower_statement(l, s);
  for (size_t i = first; i < l->returns.count; i++) lowering_patch(l, l->returns.at[i], lowering_here(l));
  l->returns.count = first;
}

void c_lower_threads(struct draft *draft) {
  for (size_t i = 0; i < draft->threads.count && !draft->reader.failed; i++) {
    struct lowering l = {.draft = draft, .thread = &draft->threads.at[i], .tree = draft->threads.at[i].body};
    lowering_body(&l, l.tree->body);
  }
  if (draft->dialect->language == LANG_C && !draft->reader.failed) draft_use_condition(draft);
}
