/* SPDX-License-Identifier: MIT */
/* Pictures of executions: what stands on a node, an event as the program's
 * language writes it and what the look adds to that. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/report/execution_picture_drawing.h"

/* Mean advance of the font used, generously: pictures are looked at where the
 * font may be another. */
static const double CHARACTER = 6.9;

static const char *event_label(const struct drawing *d, unsigned e) {
  const struct event *event = &d->x->events[e];
  const char *label = TEXT_PRINTED(d->arena, out, event_print(d->x->program, event, out));
  /* The column says which thread it is. */
  const char *blank = event->thread >= 0 && d->look->form != GRAPH_FREE ? strchr(label, ' ') : NULL;
  return blank ? blank + 1 : label;
}

/* a, b, ..., z, a1, b1, ... in the order of events, initial writes not counted. */
static const char *event_letter(const struct drawing *d, unsigned e) {
  unsigned number = 0;
  for (unsigned i = 0; i < e; i++) number += d->x->events[i].thread >= 0;
  char letter = (char)('a' + number % 26);
  return number < 26 ? arena_printf(d->arena, "%c", letter) : arena_printf(d->arena, "%c%u", letter, number / 26);
}

static const char *instruction_text(const struct drawing *d, const struct event *event) {
  const struct thread *thread = &d->x->program->threads[event->thread];
  return TEXT_PRINTED(d->arena, out, instr_print(d->x->program, thread, &thread->instrs[event->instr], out));
}

/* What the look adds to a label. */
static const char *decorate(const struct drawing *d, unsigned e, const char *label) {
  const struct event *event = &d->x->events[e];
  if (event->thread < 0 || event->instr < 0) return label;
  if (d->look->letters) label = arena_printf(d->arena, "%s: %s", event_letter(d, e), label);
  if (d->look->instructions && !event->launch)
    label = arena_printf(d->arena, "%s\n%s", label, instruction_text(d, event));
  return label;
}

const char *drawing_text_line(const struct drawing *d, unsigned e) {
  const struct event *event = &d->x->events[e];
  const struct source *source = d->x->program->source;
  if (event->thread < 0 || event->instr < 0 || !source) return NULL;
  uint32_t at = d->x->program->threads[event->thread].instrs[event->instr].span.at;
  unsigned line, column;
  source_position(source, at, &line, &column);
  const char *text = source->text + (at - (column - 1));
  text += strspn(text, " \t");
  return arena_printf(d->arena, "line %u: %.*s", line, (int)strcspn(text, "\r\n"), text);
}

/* Whether a read takes its value from an initial write. */
static bool reads_initial(const struct drawing *d, unsigned e) {
  for (unsigned w = 0; w < d->shape.n; w++)
    if (d->x->events[w].thread < 0 && rel_has(d->shape, d->x->rf, w, e)) return true;
  return false;
}

void drawing_label_events(struct drawing *d) {
  for (unsigned e = 0; e < d->shape.n; e++) {
    d->label[e] = event_label(d, e);
    if (d->x->events[e].kind == EVENT_READ && reads_initial(d, e))
      d->label[e] = arena_printf(d->arena, "%s  (initial)", d->label[e]);
    d->label[e] = decorate(d, e, d->label[e]);
  }
}

double drawing_text_width(const char *text) {
  size_t first = strcspn(text, "\n"), second = text[first] ? strlen(text + first + 1) : 0;
  return CHARACTER * (double)(first > second ? first : second);
}
