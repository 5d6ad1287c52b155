/* SPDX-License-Identifier: MIT */
/* The words of the Linux kernel's operations, as herd7 names them, and of C's mutexes:
 *
 *   call     = name ["{" annotation {"," annotation} "}"] ["(" operand {"," operand} ")"]
 *   annotation = word {"-" word}
 *   operand  = expr | "+" | "-" | "&" | "|" | "^" | "&~"
 *
 * Kernel tests use READ_ONCE(), smp_mb() and so on, which a file of macros (macros.h)
 * turns into these.  What an annotation means is for the model, and its Bell file,
 * to say.  Operands that are expressions are c_parse_expr.c's.
 */

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/ast.h"

static const struct linux_operation operations[] = {
    {"__load", LINUX_LOAD, "m", ORDER_NA},
    {"__store", LINUX_STORE, "mv", ORDER_NA},
    {"__fence", LINUX_FENCE, "", ORDER_NA},
    {"__xchg", LINUX_EXCHANGE, "lv", ORDER_NA},
    {"__cmpxchg", LINUX_COMPARE, "lev", ORDER_NA},
    {"__atomic_op", LINUX_OP, "lov", ORDER_NA},
    {"__atomic_op_return", LINUX_OP_RETURN, "lov", ORDER_NA},
    {"__atomic_fetch_op", LINUX_FETCH_OP, "lov", ORDER_NA},
    {"__atomic_add_unless", LINUX_ADD_UNLESS, "lve", ORDER_NA},
    {"__lock", LINUX_LOCK, "l", ORDER_NA},
    {"__unlock", LINUX_UNLOCK, "l", ORDER_NA},
    {"__trylock", LINUX_TRYLOCK, "l", ORDER_NA},
    {"__islocked", LINUX_IS_LOCKED, "l", ORDER_NA},
    {"__srcu", LINUX_SRCU, "l?v", ORDER_NA},
    {"atomic_add_unless", LINUX_ADD_UNLESS, "lve", ORDER_NA},
    {"spin_lock", LINUX_LOCK, "l", ORDER_NA},
    {"spin_unlock", LINUX_UNLOCK, "l", ORDER_NA},
    {"spin_trylock", LINUX_TRYLOCK, "l", ORDER_NA},
    {"spin_is_locked", LINUX_IS_LOCKED, "l", ORDER_NA},
    {"mtx_lock", LINUX_LOCK, "l", ORDER_ACQ},
    {"mtx_unlock", LINUX_UNLOCK, "l", ORDER_REL},
    {"lock", LINUX_LOCK, "l", ORDER_ACQ},
    {"unlock", LINUX_UNLOCK, "l", ORDER_REL},
};
enum { OPERATIONS = ARRAY_COUNT(operations) };

const struct linux_operation *linux_operation_here(const struct draft *draft) {
  const struct token *token = draft->reader.token;
  bool call = token->kind == TOKEN_NAME && (token_is(token + 1, "{") || token_is(token + 1, "("));
  if (!call || draft->dialect->language != LANG_C) return NULL;
  return FIND_ROW(operations, OPERATIONS, name, token->text);
}

static void parse_annotation(struct draft *draft, struct linux_call *call) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const char *name = reader_take_name(reader, "an annotation");
  while (reader_skip(reader, "-"))
    name = arena_printf(reader->arena, "%s-%s", name, reader_take_name(reader, "the rest of the annotation"));
  if (!call->annotation) call->annotation = name;
  if (!reader->failed) call->tags |= draft_annotation(draft, name, reader_span_from(reader, first));
}

void linux_parse_annotations(struct draft *draft, struct linux_call *call) {
  struct reader *reader = &draft->reader;
  if (!reader_skip(reader, "{")) return;
  do parse_annotation(draft, call);
  while (reader_skip(reader, ","));
  reader_expect(reader, "}", "after the annotations");
}

void linux_parse_operator(struct draft *draft, struct linux_call *call) {
  static const struct {
    const char *text;
    enum rmw_op op;
  } operators[] = {{"+", RMW_ADD}, {"-", RMW_SUB}, {"|", RMW_OR}, {"^", RMW_XOR}, {"&", RMW_AND}};
  struct reader *reader = &draft->reader;
  for (size_t i = 0; i < ARRAY_COUNT(operators); i++)
    if (reader_skip(reader, operators[i].text)) {
      call->op = operators[i].op;
      call->complement = call->op == RMW_AND && reader_skip(reader, "~");
      return;
    }
  reader_fail_expected(reader, "an operator such as '+'");
}
