/* SPDX-License-Identifier: MIT */
/* How a complete execution ends; printing of its events. */
#include "checker/exec/execution.h"

#include <ctype.h>
#include <inttypes.h>

#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/program/mbarrier.h"

int64_t execution_value(const struct execution *x, struct observable what) {
  return what.thread < 0 ? x->final[what.index] : x->registers[what.thread][what.index];
}

static int64_t value_in(void *context, struct observable what) {
  return execution_value(context, what);
}

bool execution_meets(const struct execution *x, const struct prop *prop) {
  return prop_holds(prop, value_in, (void *)(uintptr_t)x);
}

static void print_part(const char *text, char *before, FILE *out) {
  if (!*text) return;
  fprintf(out, "%c%s", *before, text);
  *before = ',';
}

/* What an event of a thread is besides its kind: `(acq,dev,remote)`. */
static void print_strength(const struct program *program, const struct event *event, FILE *out) {
  char before = '(';
  if (event->order != ORDER_NA) print_part(order_name(event->order), &before, out);
  if (tags_have(event->tags, TAG_WEAK)) print_part(tag_text(TAG_WEAK, event->tags), &before, out);
  print_part(program_scope_name(program, event->scope), &before, out);
  for (unsigned tag = 0; tag < TAG_COUNT + program->annotation_count; tag++)
    if (tag != TAG_WEAK) print_part(program_tag_text(program, tag, event->tags), &before, out);
  if (before == '(' && event_is_access(event)) print_part("na", &before, out);
  if (before == ',') fputc(')', out);
}

/* Which barrier it is: ` 1`, ` 1, 2 (3 threads)`; of the one that a kernel has on line 15, `barrier15`, only the
 * number. */
static void print_meeting(const struct program *program, const struct event *event, FILE *out) {
  const char *label = program->barrier_labels[event->meeting];
  if (text_begins(label, "barrier") && isdigit((unsigned char)label[7])) label += 7;
  fprintf(out, "%s %s", event->arrive && event->silent ? " leave" : event->arrive ? " arrive" : "", label);
  if (event->has_resource) fprintf(out, ", %" PRId64, event->resource);
  if (event->has_quorum) fprintf(out, " (%" PRId64 " thread%s)", event->quorum, event->quorum == 1 ? "" : "s");
}

/* An mbarrier's phase and counts, which are one number. */
static void print_mbarrier(int64_t value, FILE *out) {
  const int64_t one = INT64_C(1) << MBARRIER_TRANSACTIONS;
  int64_t counts = value & (one - 1), transactions = (value - counts) / one;
  fprintf(out, "(phase %d, pending %d of %d", (int)(counts >> MBARRIER_PARITY), (int)(counts & MBARRIER_MOST),
          (int)(counts >> MBARRIER_EXPECTED & MBARRIER_MOST));
  if (transactions) fprintf(out, ", tx %" PRId64, transactions);
  fputc(')', out);
}

void event_print(const struct program *program, const struct event *event, FILE *out) {
  static const char *const kinds[] = {[EVENT_READ] = "R",    [EVENT_WRITE] = "W",      [EVENT_FENCE] = "F",
                                      [EVENT_CALL] = "call", [EVENT_SYNC] = "sync",    [EVENT_ALLOC] = "alloc",
                                      [EVENT_FREE] = "free", [EVENT_MEET] = "barrier", [EVENT_MARK] = ""};
  if (event->thread < 0)
    fputs("init W", out);
  else if (event->launch)
    fprintf(out, "%s/%s %s", program->threads[event->thread].name, program->kernels[event->kernel].name,
            kinds[event->kind]);
  else
    fprintf(out, "%s %s", program->threads[event->thread].name, kinds[event->kind]);
  if (event_is_host(event)) {
    if (event->kind == EVENT_CALL) fprintf(out, " %s", program->kernels[event->kernel].name);
    if (event->object) fprintf(out, " %s", program->objects[event->object - 1].name);
    return;
  }
  if (event->barrier_entry || event->barrier_exit) {
    fprintf(out, "(barrier %s)", event->barrier_entry ? "entry" : "exit");
    return;
  }
  if (event->thread >= 0 && !program->object_count) print_strength(program, event, out);
  if (event->kind == EVENT_MEET) print_meeting(program, event, out);
  if (event->kind == EVENT_MARK && !event->tags) fputs("(launch)", out); /* PTX: the next grid may start */
  if (event->location < 0) return;
  fprintf(out, event_is_access(event) ? " %s=" : " %s", program->locations[event->name].name);
  if (!event_is_access(event)) return;
  if (tags_have(event->tags, TAG_MBAR))
    print_mbarrier(event->value, out);
  else
    value_print_typed(program, program->locations[event->location].width, event->value, out);
}

unsigned event_line(const struct program *program, const struct event *event) {
  if (event->thread < 0 || event->instr < 0 || !program->source) return 0;
  struct span span = program->threads[event->thread].instrs[event->instr].span;
  unsigned line = 0, column;
  if (span.length) source_position(program->source, span.at, &line, &column);
  return line;
}

void event_print_placed(const struct program *program, const struct event *event, FILE *out) {
  unsigned line = event_line(program, event);
  event_print(program, event, out);
  if (line) fprintf(out, " [line %u]", line);
}
