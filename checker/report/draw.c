/* SPDX-License-Identifier: MIT */
/* Graphs of a test's executions, file by file. */
#include "checker/report/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/outfile.h"
#include "checker/verdict/verdict.h"

/* Rejected executions can be without number: after so many that are not wanted
 * no more are asked for. */
enum { PASSED_LIMIT = 1000000 };

struct session {
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct draw_options *options;
  const struct draw_sink *sink;
  unsigned allowed, forbidden;
  unsigned passed; /* rejected executions that were not drawn */
  double deadline; /* of -timeout, which drawing counts towards; 0: none */
  bool stopped, late;
};

/* The end state in words: `0:r0=1; [x]=2;`. */
static const char *state_text(struct arena *arena, const struct litmus_test *test, const struct execution *x) {
  const char *text = "";
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct observable what = test->observables[i];
    if (what.thread < 0)
      text = arena_printf(arena, "%s%s[%s]=%lld;", text, i ? " " : "", test->program->locations[what.index].name,
                          (long long)x->final[what.index]);
    else
      text = arena_printf(arena, "%s%s%d:%s=%lld;", text, i ? " " : "", what.thread,
                          test->program->threads[what.thread].reg_names[what.index],
                          (long long)x->registers[what.thread][what.index]);
  }
  return text;
}

static int64_t observed_value(void *context, struct observable what) {
  const struct execution *x = context;
  return what.thread < 0 ? x->final[what.index] : x->registers[what.thread][what.index];
}

static bool wanted(const struct session *s, const struct execution *x) {
  void *context = (void *)(uintptr_t)x;
  if (s->test->filter && !prop_holds(s->test->filter, observed_value, context)) return false;
  bool meets = prop_holds(s->test->condition, observed_value, context);
  switch (s->options->show) {
    case DRAW_PROP:
      return meets;
    case DRAW_NEG:
      return !meets;
    case DRAW_ALL:
      return true;
    case DRAW_COND:
      return meets == (s->test->quantifier != QUANT_NOT_EXISTS);
    case DRAW_WIT:
      return meets == (s->test->quantifier != QUANT_FORALL);
    case DRAW_NONE:
      return false;
  }
  return false;
}

static bool room_left(struct session *s) {
  s->late = s->deadline > 0 && monotonic_seconds() > s->deadline;
  if (s->late) return false;
  return s->allowed + s->forbidden < s->options->most && s->passed < PASSED_LIMIT && !s->stopped;
}

/* What an execution raises goes into its title: `, undefined: data_race`. */
static const char *raised_text(struct arena *arena, const struct cat_ir *ir, const struct found *found) {
  const char *text = "";
  for (uint32_t i = 0; found->raised && i < ir->check_count; i++) {
    if (!(found->raised[i / 64] >> (i % 64) & 1)) continue;
    bool undefined = ir->checks[i].role == ROLE_UNDEFINED || flag_means_undefined(ir->checks[i].name);
    text = arena_printf(arena, "%s, %s: %s", text, undefined ? "undefined" : "flag", ir->checks[i].name);
  }
  for (unsigned i = 0; i < found->raised_name_count; i++) {
    bool undefined = found->raised_undefined[i] || flag_means_undefined(found->raised_names[i]);
    text = arena_printf(arena, "%s, %s: %s", text, undefined ? "undefined" : "flag", found->raised_names[i]);
  }
  return text;
}

/* The pair that a raised check is about, to be marked in the graph. */
static const struct explanation *explain_raised(struct arena *arena, const struct valuation *v,
                                                const struct found *found) {
  for (uint32_t i = 0; found->raised && i < v->ir->check_count; i++)
    if (found->raised[i / 64] >> (i % 64) & 1) return explain(arena, v, found->execution, &v->ir->checks[i]);
  return NULL;
}

static bool draw_allowed(void *context, const struct found *found) {
  struct session *s = context;
  if (!wanted(s, found->execution)) return true;
  struct arena *arena = arena_new();
  const struct valuation *v = evaluate(arena, &s->model->ir, found->execution);
  struct graph_subject subject = {
      .execution = found->execution,
      .valuation = v,
      .why = explain_raised(arena, v, found),
      .title = arena_printf(arena, "%s: allowed by %s%s", s->test->name, s->model->ir.name,
                            raised_text(arena, &s->model->ir, found)),
      .caption = state_text(arena, s->test, found->execution),
  };
  s->stopped = !s->sink->draw(s->sink->context, &subject, false, s->allowed++);
  arena_free(arena);
  return room_left(s);
}

static bool draw_forbidden(void *context, const struct found *found, const struct cat_check *check) {
  struct session *s = context;
  if (!wanted(s, found->execution)) return ++s->passed < PASSED_LIMIT;
  struct arena *arena = arena_new();
  const struct valuation *v = evaluate(arena, &s->model->ir, found->execution);
  s->passed += found->execution->shape.n;
  if (s->options->through == THROUGH_ALL || !explain_is_trivial(arena, found->execution)) {
    const char *axiom = check ? arena_printf(arena, "%s: %s", check->name, check_statement(arena, check)) : "its rules";
    struct graph_subject subject = {
        .execution = found->execution,
        .valuation = v,
        .why = check ? explain(arena, v, found->execution, check) : NULL,
        .title = arena_printf(arena, "%s: forbidden by %s, axiom %s", s->test->name, s->model->ir.name, axiom),
        .caption = state_text(arena, s->test, found->execution),
    };
    s->stopped = !s->sink->draw(s->sink->context, &subject, true, s->forbidden++);
  }
  arena_free(arena);
  return room_left(s);
}

bool draw_each(const struct litmus_test *test, const struct cat_model *model, const struct enumerate_options *options,
               const struct draw_options *draw, const struct draw_sink *sink) {
  if (draw->show == DRAW_NONE) return true;
  struct session s = {.test = test, .model = model, .options = draw, .sink = sink};
  if (options->timeout > 0) s.deadline = monotonic_seconds() + options->timeout;
  struct enumerate_options own = *options;
  own.workers = 1;
  own.keep_rejected = draw->through != THROUGH_NONE;
  /* Where only executions that settle the condition are wanted, let the engine
   * look for no others. */
  own.stop_when_known = draw->show == DRAW_WIT || (draw->show == DRAW_PROP && test->quantifier != QUANT_FORALL);
  struct enumerate_sink found = {
      .context = &s, .consistent = draw_allowed, .rejected = own.keep_rejected ? draw_forbidden : NULL};
  struct enumerate_stats stats;
  return enumerate(test, model, &own, &found, &stats) != END_TIMEOUT && !s.late;
}

/* ---- files ---- */

struct files {
  struct grapher *grapher;
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct draw_options *options;
  struct diags *diags;
  bool failed;
};

static bool write_file(void *context, const struct graph_subject *subject, bool forbidden, unsigned number) {
  struct files *f = context;
  struct arena *arena = arena_new();
  const char *path = arena_printf(arena, "%s/%s-%s%s-%u.%s", f->options->folder, outfile_name(arena, f->options->label),
                                  outfile_name(arena, f->model->ir.name), forbidden ? "-forbidden" : "", number,
                                  f->options->format == GRAPH_SVG ? "svg" : "dot");
  struct outfile file;
  bool drawn = outfile_open(arena, path, &file) && grapher_write(f->grapher, subject, f->options->format, file.stream);
  bool done = outfile_close(&file, drawn);
  if (!done) diag_error(f->diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
  arena_free(arena);
  f->failed |= !done;
  return done;
}

bool draw_executions(struct grapher *grapher, const struct litmus_test *test, const struct cat_model *model,
                     const struct enumerate_options *options, const struct draw_options *draw, struct diags *diags) {
  struct files files = {grapher, test, model, draw, diags, false};
  struct draw_sink sink = {&files, write_file};
  if (!draw_each(test, model, options, draw, &sink))
    diag_warning(diags, NULL, (struct span){0}, "%s: time limit met: some graphs of %s are missing", test->source->name,
                 test->name);
  return !files.failed;
}
