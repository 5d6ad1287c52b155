/* SPDX-License-Identifier: MIT */
/* Both languages' notation for conditions, values, statements and rules.
 *
 * In Promela one process repeats one of its options, each a d_step; in Murphi
 * rules are what there is.
 */
#include "hwsem/guarded_commands.h"

#include <inttypes.h>
#include <string.h>

const char RULES_TRUE[] = "true", RULES_FALSE[] = "false", RULES_OLD[] = "old";

struct rules rules_new(struct arena *arena, enum rules_language language, FILE *out) {
  return (struct rules){.arena = arena, .language = language, .out = out};
}

static bool murphi(const struct rules *r) {
  return r->language == RULES_MURPHI;
}

/* ---- conditions ---- */

const char *rules_and(const struct rules *r, const char *a, const char *b) {
  if (a == RULES_FALSE || b == RULES_TRUE) return a;
  if (b == RULES_FALSE || a == RULES_TRUE) return b;
  return arena_printf(r->arena, "%s %s %s", a, murphi(r) ? "&" : "&&", b);
}

const char *rules_or(const struct rules *r, const char *a, const char *b) {
  if (a == RULES_TRUE || b == RULES_FALSE) return a;
  if (b == RULES_TRUE || a == RULES_FALSE) return b;
  return arena_printf(r->arena, "(%s %s %s)", a, murphi(r) ? "|" : "||", b);
}

/* Does one pair of parentheses enclose all of it? */
static bool is_enclosed(const char *a) {
  int open = 0;
  for (; *a; a++) {
    open += (*a == '(') - (*a == ')');
    if (!open) return *a == ')' && !a[1];
  }
  return false;
}

const char *rules_not(const struct rules *r, const char *a) {
  if (a == RULES_TRUE) return RULES_FALSE;
  if (a == RULES_FALSE) return RULES_TRUE;
  return arena_printf(r->arena, is_enclosed(a) ? "!%s" : "!(%s)", a);
}

const char *rules_compare(const struct rules *r, const char *a, enum compare compare, const char *b) {
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
  return arena_printf(r->arena, "(%s %s %s)", a, compare == CMP_EQ && murphi(r) ? "=" : signs[compare], b);
}

/* ---- values ---- */

const char *rules_number(const struct rules *r, int64_t number) {
  return arena_printf(r->arena, number < 0 ? "(%" PRId64 ")" : "%" PRId64, number);
}

const char *rules_choose(const struct rules *r, const char *condition, const char *a, const char *b) {
  if (condition == RULES_TRUE) return a;
  if (condition == RULES_FALSE) return b;
  return arena_printf(r->arena, murphi(r) ? "((%s) ? %s : %s)" : "((%s) -> %s : %s)", condition, a, b);
}

const char *rules_operation(const struct rules *r, const char *a, const char *sign, const char *b) {
  return arena_printf(r->arena, "(%s %s %s)", a, sign, b);
}

/* Division by zero gives 0. */
static const char *divided(const struct rules *r, const char *a, const char *sign, const char *b) {
  return rules_choose(r, rules_compare(r, b, CMP_EQ, "0"), "0", rules_operation(r, a, sign, b));
}

const char *rules_value(const struct rules *r, const struct expr *e, const char *const *names) {
  if (e->kind == EXPR_CONST) return rules_number(r, e->value);
  if (e->kind == EXPR_REG) return names[e->reg];
  if (expr_is_truth(e->kind)) return rules_choose(r, rules_truth(r, e, names), "1", "0");
  const char *a = rules_value(r, e->a, names), *b = e->b ? rules_value(r, e->b, names) : NULL;
  switch (e->kind) {
    case EXPR_NEG:
      return rules_operation(r, "0", "-", a);
    case EXPR_NOT:
      return rules_operation(r, "(-1)", "-", a);
    case EXPR_COND:
      return rules_choose(r, rules_truth(r, e->a, names), b, rules_value(r, e->c, names));
    case EXPR_DIV:
    case EXPR_MOD:
      return divided(r, a, expr_infix(e->kind).text, b);
    case EXPR_SHL:
    case EXPR_SHR:
      return rules_operation(r, a, expr_infix(e->kind).text, rules_operation(r, b, "&", "63"));
    default:
      return rules_operation(r, a, expr_infix(e->kind).text, b);
  }
}

const char *rules_truth(const struct rules *r, const struct expr *e, const char *const *names) {
  if (e->kind == EXPR_LNOT) return rules_not(r, rules_truth(r, e->a, names));
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR) {
    const char *a = rules_truth(r, e->a, names), *b = rules_truth(r, e->b, names);
    return e->kind == EXPR_LOR ? rules_or(r, a, b) : arena_printf(r->arena, "(%s)", rules_and(r, a, b));
  }
  if (expr_compares(e->kind)) {
    enum compare compare = (enum compare)(e->kind - EXPR_EQ);
    return rules_compare(r, rules_value(r, e->a, names), compare, rules_value(r, e->b, names));
  }
  return rules_compare(r, rules_value(r, e, names), CMP_NE, "0");
}

/* As width_fit does it. */
static const char *fit(const struct rules *r, struct width width, const char *value) {
  if (!width.bits) return value;
  if (width.bits == 1) return rules_choose(r, rules_compare(r, value, CMP_NE, "0"), "1", "0");
  const char *size = rules_number(r, INT64_C(1) << width.bits);
  const char *half = rules_number(r, width.is_signed ? INT64_C(1) << (width.bits - 1) : 0);
  const char *rest = rules_operation(r, rules_operation(r, value, "+", half), "%", size);
  return rules_operation(r, rules_operation(r, rules_operation(r, rest, "+", size), "%", size), "-", half);
}

const char *rules_modified(const struct rules *r, enum rmw_op op, struct width width, const char *operand) {
  static const char *const signs[] = {
      [RMW_ADD] = "+", [RMW_SUB] = "-", [RMW_OR] = "|", [RMW_XOR] = "^", [RMW_AND] = "&", [RMW_MUL] = "*"};
  const char *old = RULES_OLD, *value = operand;
  if (op == RMW_MIN || op == RMW_MAX)
    value = rules_choose(r, rules_compare(r, old, op == RMW_MIN ? CMP_LT : CMP_GT, operand), old, operand);
  else if (op == RMW_DIV)
    value = divided(r, old, "/", operand);
  else if (op != RMW_EXCHANGE)
    value = rules_operation(r, old, signs[op], operand);
  return fit(r, width, value);
}

/* ---- lines ---- */

static void indent(const struct rules *r, unsigned depth) {
  fprintf(r->out, "%*s", (int)(2 * depth), "");
}

static void line(struct rules *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(struct rules *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (r->at_else) {
    indent(r, r->depth - 1);
    fputs(murphi(r) ? "else\n" : ":: else ->\n", r->out);
    r->elses.at[r->elses.count - 1] = true;
    r->at_else = false;
  }
  indent(r, r->depth);
  vfprintf(r->out, format, args);
  fputc('\n', r->out);
  va_end(args);
}

void rules_comment(struct rules *r, const char *text) {
  char *kept = arena_strdup(r->arena, text);
  for (char *end = kept; (end = strstr(end, "*/"));) *end = '+'; /* in a test's name */
  line(r, "/* %s */", kept);
}

/* ---- declarations ---- */

static const char *promela_type(int64_t low, int64_t high) {
  if (low >= 0 && high <= UINT8_MAX) return high <= 1 ? "bit" : "byte";
  return low >= INT16_MIN && high <= INT16_MAX ? "short" : "int";
}

void rules_variable(struct rules *r, const char *name, int64_t low, int64_t high, int64_t initial) {
  *vec_push(r->arena, &r->variables) = (struct rules_variable){name, low, high, initial};
  if (murphi(r))
    line(r, "var %s: %" PRId64 " .. %" PRId64 ";", name, low, high);
  else
    line(r, "%s %s = %" PRId64 ";", promela_type(low, high), name, initial);
}

void rules_procedure(struct rules *r, const char *name) {
  if (murphi(r))
    line(r, "procedure %s(); begin", name);
  else
    line(r, "inline %s() {", name);
  r->depth++;
}

void rules_end_procedure(struct rules *r) {
  r->depth--;
  line(r, murphi(r) ? "end;" : "}");
}

/* ---- rules ---- */

static void begin_murphi(struct rules *r) {
  line(r, "startstate begin");
  for (size_t i = 0; i < r->variables.count; i++)
    line(r, "  %s := %" PRId64 ";", r->variables.at[i].name, r->variables.at[i].initial);
  line(r, "end;");
}

void rules_begin(struct rules *r, bool keeps) {
  if (murphi(r)) {
    begin_murphi(r);
    return;
  }
  if (keeps) line(r, "int %s = 0;", RULES_OLD);
  line(r, "active proctype machine() {");
  line(r, "end:");
  line(r, "  do");
  r->depth = 1;
}

void rules_rule(struct rules *r, const char *name, const char *guard, bool keeps) {
  r->keeps = keeps;
  if (murphi(r)) {
    line(r, "rule \"%s\" %s ==>", name, guard);
    if (keeps) line(r, "  var %s: %" PRId64 " .. %" PRId64 ";", RULES_OLD, (int64_t)INT32_MIN, (int64_t)INT32_MAX);
    line(r, "begin");
    r->depth++;
  } else {
    line(r, ":: d_step { /* %s */", name);
    r->depth += 2;
    line(r, "%s ->", guard);
  }
}

void rules_end_rule(struct rules *r) {
  if (r->keeps && !murphi(r)) rules_set(r, RULES_OLD, "0");
  r->depth -= murphi(r) ? 1 : 2;
  line(r, murphi(r) ? "end;" : "   }");
}

void rules_finish(struct rules *r, const char *final, const char *wanted) {
  const char *both = rules_and(r, final, wanted);
  if (murphi(r)) {
    line(r, "cover \"final\" %s;", final);
    line(r, "cover \"wanted\" %s;", both);
    return;
  }
  fprintf(r->out, "#ifdef WANTED\n");
  line(r, ":: d_step { %s -> assert(false) }", both);
  fprintf(r->out, "#endif\n");
  line(r, "od");
  r->depth = 0;
  line(r, "}");
}

/* ---- statements ---- */

void rules_set(struct rules *r, const char *name, const char *value) {
  line(r, "%s %s %s;", name, murphi(r) ? ":=" : "=", value);
}

void rules_call(struct rules *r, const char *procedure) {
  line(r, "%s();", procedure);
}

void rules_if(struct rules *r, const char *condition) {
  line(r, murphi(r) ? "if %s then" : "if :: %s ->", condition);
  *vec_push(r->arena, &r->elses) = false;
  r->depth++;
}

void rules_else(struct rules *r) {
  r->at_else = true;
}

void rules_end_if(struct rules *r) {
  bool has_else = r->elses.at[--r->elses.count];
  r->at_else = false;
  r->depth--;
  line(r, murphi(r) ? "end;" : has_else ? "fi;" : ":: else -> skip fi;");
}
