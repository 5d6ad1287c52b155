/* SPDX-License-Identifier: MIT */
/* An execution of the kind is looked for once more: verdicts keep none. */
#include "checker/explain/unset_read.h"

#include "checker/base/tags.h"

/* Memory of a work-group (Vulkan: of storage class Workgroup) that nobody has said the contents of. */
static bool is_open(const struct program *program, unsigned location, tag_set tags) {
  const struct location *x = &program->locations[location];
  return x->any && (x->region == REGION_LOCAL || (tags & tag_bit(TAG_SC1)));
}

static bool has_open(const struct program *program) {
  INSTR_EACH (instr, program)
    if (instr->address.size && is_open(program, instr->address.base, instr->tags)) return true;
  return false;
}

static bool reads_first(const struct execution *x, unsigned event) {
  if (x->events[event].kind != EVENT_READ || x->events[event].instr < 0) return false;
  for (unsigned w = 0; w < x->shape.n; w++)
    if (x->events[w].thread < 0 && rel_has(x->shape, x->rf, w, event)) return true;
  return false;
}

static bool warn(void *context, const struct exhibit *exhibit, bool forbidden, unsigned number) {
  struct diags *diags = context;
  const struct execution *x = exhibit->execution;
  const struct program *program = x->program;
  (void)forbidden, (void)number;
  for (unsigned e = 0; e < x->shape.n; e++) {
    const struct event *event = &x->events[e];
    if (!reads_first(x, e) || !is_open(program, (unsigned)event->location, event->tags)) continue;
    const struct thread *thread = &program->threads[event->thread];
    diag_warning(diags, program->source, thread->instrs[event->instr].span,
                 "%s reads %s here before anything is stored there: what it finds may be anything", thread->name,
                 program->locations[event->location].name);
    return false;
  }
  return false;
}

void unset_read_warn(const struct litmus_test *test, const struct cat_model *model,
                     const struct enumerate_options *options, const struct exhibit_options *chosen,
                     struct diags *diags) {
  const struct exhibit_sink sink = {diags, warn};
  if (has_open(test->program)) (void)exhibit_each(test, model, options, chosen, &sink);
}
