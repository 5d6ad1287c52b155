/* SPDX-License-Identifier: MIT */
/* Names: what they mean, and how let and let rec bind them. */
#include "checker/cat/bind.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/cat/apply.h"
#include "checker/cat/one_event_rmw.h"

/* Deepest nesting of recursive definitions. */
enum { OPEN_LIMIT = 60 };

/* ---- names ----------------------------------------------------------- */

const struct binding *bind_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                                const struct value *value) {
  if (!symbol) return env;
  return ARENA_MAKE(e->arena, struct binding, symbol, value, NULL, env);
}

static const struct value *item_of(struct eval *e, const struct value *value, unsigned i) {
  if (value->kind == VALUE_TUPLE) return value->items[i];
  struct value *event = value_new(e, VALUE_EVENT);
  event->event[0] = value->event[i];
  return event;
}

const struct binding *bind_pattern(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                   const struct value *value, const struct exp *where, bool *ok) {
  if (!pattern->tuple) return bind_name(e, env, pattern->names[0], value);
  unsigned count = value->kind == VALUE_TUPLE ? value->count : value->kind == VALUE_PAIR ? 2 : 1;
  bool later = value->kind == VALUE_LATER;
  if (!later && (count != pattern->count || (count == 1 && value->kind != VALUE_TUPLE))) {
    eval_error(e, where->source, where->span, "expected %u arguments, found %s", pattern->count,
               value->kind == VALUE_TUPLE ? arena_printf(e->arena, "%u", count) : value_describe(e, value));
    *ok = false;
    return env;
  }
  for (unsigned i = 0; i < pattern->count; i++)
    env = bind_name(e, env, pattern->names[i], later ? value : item_of(e, value, i));
  return env;
}

static const struct value *unknown_name(struct eval *e, const struct binding *env, const struct symbol *symbol,
                                        const struct source *source, struct span span) {
  if (e->silent) return NULL;
  VEC(const char *) words = {0};
  for (; env; env = env->next) *vec_push(e->arena, &words) = env->symbol->text;
  for (uint32_t i = 0; i < e->symbols->bucket_count; i++)
    for (const struct symbol *s = e->symbols->buckets[i]; s; s = s->next)
      if (s->builtin) *vec_push(e->arena, &words) = s->text;
  static const char *const statements[] = {"acyclic", "irreflexive", "empty", "show", "include", "undefined_unless"};
  for (unsigned i = 0; i < ARRAY_COUNT(statements); i++)
    *vec_push(e->arena, &words) = statements[i]; /* one misspelt reads as an argument of the line before */
  *vec_push(e->arena, &words) = NULL;
  if (!eval_spend(e, words.count)) return NULL;
  const char *near = suggest(symbol->text, words.at);
  eval_error(e, source, span, "unknown name '%s'%s", symbol->text, suggest_hint(e->arena, near));
  return NULL;
}

/* A definition of the prelude, evaluated where only predefined names are in sight. */
static const struct value *eval_defined(struct eval *e, const struct builtin *builtin) {
  const struct value **memo = &e->defined[builtin->index];
  if (*memo) return *memo;
  const struct source *source = source_from_text(e->arena, "(predefined)", builtin->text, strlen(builtin->text));
  const struct exp *exp = cat_parse_expression(e->arena, e->symbols, source, e->diags);
  return exp ? *memo = eval_exp(e, NULL, exp) : NULL;
}

static const struct value *eval_builtin(struct eval *e, const struct builtin *builtin) {
  switch (builtin->kind) {
    case BUILTIN_BASE:
      return value_node(e, predefined_builtin(e, builtin));
    case BUILTIN_DEFINED:
      return eval_defined(e, builtin);
    case BUILTIN_PRIMITIVE: {
      struct value *value = value_new(e, VALUE_PRIMITIVE);
      value->primitive = builtin->primitive;
      return value;
    }
    case BUILTIN_PROCEDURE:
      break;
  }
  return NULL;
}

static void report_again(struct eval *e, const struct diag *error) {
  diag_error(e->diags, error->source, error->span, "%s", error->message);
  for (const struct diag *note = error + 1; note->message; note++)
    diag_note(e->diags, note->source, note->span, "%s", note->message);
}

const struct value *eval_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                              const struct source *source, struct span span) {
  const struct binding *binding = env;
  uint64_t distance = 0;
  for (; binding && binding->symbol != symbol; binding = binding->next) distance++;
  if (!eval_spend(e, distance / 64)) return NULL;
  if (binding) {
    if (!binding->value && !e->silent) report_again(e, binding->error);
    return binding->value;
  }
  const struct value *value = symbol->builtin ? eval_builtin(e, symbol->builtin) : NULL;
  return value ? value : unknown_name(e, env, symbol, source, span);
}

/* ---- let and let rec ------------------------------------------------- */

struct value *eval_closure(struct eval *e, const struct binding *env, const struct exp *exp) {
  struct value *closure = value_new(e, VALUE_CLOSURE);
  closure->function = exp;
  closure->env = env;
  return closure;
}

/* Takes back what was reported since; returns the first error, with its notes after it. */
static const struct diag *take_error(struct eval *e, const struct diags *before) {
  struct diags *diags = e->diags;
  size_t count = diags->count - before->count, kept = 0;
  const struct diag *reported = diags->at + before->count;
  struct diag *error =
      ARENA_ARRAY(e->arena, struct diag, count + 2); /* ends with an empty one, after an error or in its place */
  while (kept < count && (!kept || !strcmp(reported[kept].severity, "note"))) {
    error[kept] = reported[kept];
    kept++;
  }
  diags->errors = before->errors;
  diags->count = before->count;
  return error;
}

static const struct binding *bind_wrong(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                        const struct diag *error) {
  for (unsigned i = 0; i < pattern->count; i++) {
    if (!pattern->names[i]) continue;
    struct binding *binding = ARENA_MAKE(e->arena, struct binding, pattern->names[i], NULL, error, env);
    env = binding;
  }
  return env;
}

static const struct value *eval_body(struct eval *e, const struct binding *env, const struct binding_syntax *binding) {
  const struct symbol *name = binding->pattern.count == 1 ? binding->pattern.names[0] : NULL;
  const struct value *known = name ? eval_known_function(e, name, binding->body) : NULL;
  return known ? known : eval_exp(e, env, binding->body);
}

static const struct binding *bind_plain(struct eval *e, const struct binding *env,
                                        const struct binding_syntax *bindings, unsigned count, bool defer, bool *ok) {
  const struct binding *result = env;
  for (unsigned i = 0; i < count && *ok; i++) {
    struct diags before = *e->diags;
    bool matches = true;
    const struct value *value = eval_body(e, env, &bindings[i]);
    if (value) result = bind_pattern(e, result, &bindings[i].pattern, value, bindings[i].body, &matches);
    if (value && matches) continue;
    if (!defer || e->silent || e->broken) { /* what was too much is never looked at again */
      *ok = false;
      break;
    }
    const struct diag *error = take_error(e, &before);
    result = bind_wrong(e, result, &bindings[i].pattern, error);
    if (!e->force && error->source) *vec_push(e->arena, &e->unused_errors) = error;
  }
  return result;
}

/* Set or relation? Judged by the operators, and by names that mean something already. */
static int infer(struct eval *e, const struct binding *env, const struct exp *exp, unsigned depth) {
  if (!exp || depth > 20) return -1;
  switch (exp->kind) {
    case EXP_SEQ:
    case EXP_CROSS:
    case EXP_PLUS:
    case EXP_STAR:
    case EXP_OPT:
    case EXP_INVERSE:
    case EXP_TOID:
    case EXP_SQUARE:
      return CAT_REL;
    case EXP_NAME: {
      while (env && env->symbol != exp->symbol) env = env->next;
      const struct builtin *builtin = exp->symbol->builtin;
      if (env) return env->value && env->value->kind == VALUE_NODE ? (int)graph_type(e->graph, env->value->node) : -1;
      return builtin && builtin->kind == BUILTIN_BASE ? (int)graph_type(e->graph, predefined_builtin(e, builtin)) : -1;
    }
    case EXP_UNION:
    case EXP_INTER:
      for (unsigned i = 0; i < exp->item_count; i++) {
        int type = infer(e, env, exp->items[i], depth + 1);
        if (type >= 0) return type;
      }
      return -1;
    case EXP_APPLY:
      if (exp->a->kind == EXP_NAME && exp->a->symbol->builtin && exp->a->symbol->builtin->kind == BUILTIN_PRIMITIVE &&
          exp->a->symbol->builtin->primitive <= PRIM_RANGE)
        return CAT_SET;
      return -1;
    case EXP_DIFF: {
      int type = infer(e, env, exp->a, depth + 1);
      return type >= 0 ? type : infer(e, env, exp->b, depth + 1);
    }
    case EXP_LET:
    case EXP_COMPL:
      return infer(e, env, exp->a, depth + 1);
    default:
      return -1;
  }
}

/* The functions of a let rec see the whole group. */
static const struct binding *bind_functions(struct eval *e, const struct binding *env,
                                            const struct binding_syntax *bindings, unsigned count) {
  struct value **closures = ARENA_ARRAY(e->arena, struct value *, count);
  for (unsigned i = 0; i < count; i++) {
    if (bindings[i].body->kind != EXP_FUN) continue;
    closures[i] = eval_closure(e, NULL, bindings[i].body);
    env = bind_name(e, env, bindings[i].pattern.names[0], closures[i]);
  }
  for (unsigned i = 0; i < count; i++)
    if (closures[i]) closures[i]->env = env;
  return env;
}

static const struct binding *bind_later(struct eval *e, const struct binding *env,
                                        const struct binding_syntax *bindings, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (bindings[i].body->kind != EXP_FUN)
      env = bind_name(e, env, bindings[i].pattern.names[0], value_of_kind(e, VALUE_LATER));
  return bind_functions(e, env, bindings, count);
}

/* Evaluates the bodies of recursive sets and relations, variables at `first`. */
static bool eval_rec_bodies(struct eval *e, const struct binding *env, struct let let, const enum cat_type *types,
                            uint32_t *bodies, bool *later) {
  const struct binding_syntax *bindings = let.bindings;
  unsigned at = 0;
  for (unsigned i = 0; i < let.count; i++) {
    if (bindings[i].body->kind == EXP_FUN) continue;
    const struct value *value = eval_exp(e, env, bindings[i].body);
    if (!value) return false;
    bool now = false;
    bodies[at] = eval_node(e, value, types[at], bindings[i].body, &now);
    if (bodies[at] == EVAL_NO_NODE && !now) return false;
    if (now) bodies[at] = graph_empty(e->graph, types[at]);
    *later |= now;
    at++;
  }
  return true;
}

/* `r = r | ...` */
static bool adds_to_itself(const struct binding_syntax *binding) {
  const struct exp *body = binding->body;
  for (unsigned i = 0; body->kind == EXP_UNION && !binding->pattern.tuple && i < body->item_count; i++)
    if (body->items[i]->kind == EXP_NAME && body->items[i]->symbol == binding->pattern.names[0]) return true;
  return false;
}

/* let rec that is not monotone, as in herd's Linux model: definitions that add
 * to themselves are variables, which grow until they do not; the others are what
 * they say of those, and of the ones before them. */
static const struct binding *bind_growing(struct eval *e, const struct binding *env,
                                          const struct binding_syntax *bindings, unsigned count, bool *ok) {
  enum cat_type *types = ARENA_ARRAY(e->arena, enum cat_type, count);
  uint32_t *bodies = ARENA_ARRAY(e->arena, uint32_t, count);
  unsigned variables = 0;
  *ok = true;
  for (unsigned i = 0; i < count; i++)
    if (adds_to_itself(&bindings[i]))
      types[variables++] = infer(e, env, bindings[i].body, 0) == CAT_SET ? CAT_SET : CAT_REL;
  uint32_t first = graph_open(e->graph, types, variables);
  for (unsigned i = 0, at = 0; i < count; i++)
    if (adds_to_itself(&bindings[i]))
      env = bind_name(e, env, bindings[i].pattern.names[0], value_node(e, first + at++));
  for (unsigned i = 0; i < variables; i++) bodies[i] = first + i;
  for (unsigned i = 0, at = 0; i < count && *ok; i++) {
    bool later = false;
    const struct value *value = eval_exp(e, env, bindings[i].body);
    if (!value) {
      *ok = false;
    } else if (adds_to_itself(&bindings[i])) {
      bodies[at] = eval_node(e, value, types[at], bindings[i].body, &later);
      *ok = bodies[at++] != EVAL_NO_NODE;
    } else {
      env = bind_pattern(e, env, &bindings[i].pattern, value, bindings[i].body, ok);
    }
  }
  graph_close(e->graph, first, bodies, variables);
  for (unsigned i = 0; i < variables; i++) graph_set_growing(e->graph, first + i);
  return env;
}

/* let rec: variables of least fixpoints, and functions. */
static const struct binding *bind_recursive(struct eval *e, const struct binding *env, struct let let, bool *ok) {
  const struct binding_syntax *bindings = let.bindings;
  unsigned count = let.count;
  enum cat_type *types = ARENA_ARRAY(e->arena, enum cat_type, count);
  uint32_t *bodies = ARENA_ARRAY(e->arena, uint32_t, count);
  unsigned variables = 0;
  for (unsigned i = 0; i < count; i++) {
    if (bindings[i].pattern.tuple) {
      eval_error(e, bindings[i].body->source, bindings[i].span, "a recursive definition binds one name");
      *ok = false;
      return env;
    }
    if (bindings[i].body->kind != EXP_FUN)
      types[variables++] = infer(e, env, bindings[i].body, 0) == CAT_SET ? CAT_SET : CAT_REL;
  }
  if (!variables) return bind_functions(e, env, bindings, count);
  if (e->graph->open_groups >= OPEN_LIMIT) {
    eval_error(e, bindings->body->source, bindings->span, "recursive definitions nest more than %d deep", OPEN_LIMIT);
    *ok = false;
    return env;
  }
  const struct binding *outer = env;
  uint32_t first = graph_open(e->graph, types, variables);
  for (unsigned i = 0, at = 0; i < count; i++)
    if (bindings[i].body->kind != EXP_FUN)
      env = bind_name(e, env, bindings[i].pattern.names[0], value_node(e, first + at++));
  env = bind_functions(e, env, bindings, count);
  for (unsigned i = 0; i < variables; i++) bodies[i] = first + i;
  bool later = false;
  *ok = eval_rec_bodies(e, env, let, types, bodies, &later);
  graph_close(e->graph, first, bodies, variables);
  return later ? bind_later(e, outer, bindings, count) : env;
}

const struct binding *eval_bindings(struct eval *e, const struct binding *env, struct let let, bool defer, bool *ok) {
  *ok = true;
  if (!let.recursive) return bind_plain(e, env, let.bindings, let.count, defer, ok);
  struct diags before = *e->diags;
  const struct binding *result = bind_recursive(e, env, let, ok);
  if (!*ok && !e->growing && !e->broken) { /* as one that is not monotone, or else the error stands */
    const struct diag *error = e->diags->count > before.count ? take_error(e, &before) : NULL;
    e->growing = true;
    e->silent++;
    const struct binding *grown = bind_growing(e, env, let.bindings, let.count, ok);
    e->silent--;
    e->growing = false;
    if (*ok) return grown;
    if (error && error->source) report_again(e, error);
  }
  if (*ok || !defer || e->silent || e->broken) return result;
  *ok = true;
  const struct diag *error = take_error(e, &before);
  for (unsigned i = 0; i < let.count; i++) env = bind_wrong(e, env, &let.bindings[i].pattern, error);
  return env;
}
