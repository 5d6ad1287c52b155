/* SPDX-License-Identifier: MIT */
/* Counting what a sweep finds, and its way through the texts of parts. */
#include "checker/verify/sweep_result.h"

#include <assert.h>
#include <string.h>

#include "checker/base/parts.h"

const struct sweep_count_words sweep_counts[COUNTS] = {
#define SWEEP_COUNT(id, of, line, rare, key) {of, line, rare, key},
    SWEEP_COUNT_LIST(SWEEP_COUNT)
#undef SWEEP_COUNT
};

const char *sweep_answer(const struct sweep_result *r) {
  if (r->counts[COUNT_UNSOUND]) return "Unsound";
  if (r->counts[COUNT_HAZARDS]) return "Hazard";
  if (r->counts[COUNT_DEADLOCKS]) return "Deadlock";
  return r->counts[COUNT_UNDECIDED] || r->counts[COUNT_REFUSED] || r->stopped ? "Undecided" : "Sound";
}

void sweep_counts_write(const struct sweep_result *r, FILE *out) {
  parts_write_counts(out, r->counts, COUNTS, r->seconds);
}

const char *sweep_counts_add(struct sweep_result *r, const char *text) {
  uint64_t counts[COUNTS];
  double seconds;
  const char *end = parts_read_counts(text, counts, COUNTS, &seconds);
  if (!end) return NULL;
  for (int c = 0; c < COUNTS; c++) r->counts[c] += counts[c];
  r->seconds += seconds;
  return end;
}

void sweep_note_violation(struct sweep_result *r, const struct small_program *program) {
  if (r->found && !small_is_simpler(program, &r->smallest)) return;
  r->smallest = *program;
  r->found = true;
}

/* ---- of code ---- */

static struct sweep_kind *kind_of(struct sweep_result *r, const char *kind) {
  for (unsigned i = 0; i < r->kind_count; i++) {
    const char *known = r->kinds[i].kind;
    if (known == kind || (known && kind && !strcmp(known, kind))) return &r->kinds[i];
  }
  assert(r->kind_count < SWEEP_KINDS);
  r->kinds[r->kind_count] = (struct sweep_kind){.kind = kind};
  return &r->kinds[r->kind_count++];
}

bool sweep_is_simpler(const struct small_listed *a, const struct small_listed *b) {
  unsigned x = small_size(&a->program), y = small_size(&b->program);
  if (x != y) return x < y;
  struct arena *arena = arena_new();
  bool first = strcmp(small_text(arena, &a->program), small_text(arena, &b->program)) < 0;
  arena_free(arena);
  return first;
}

void sweep_count_unsound(struct sweep_result *r, const struct small_listed *program) {
  struct sweep_kind *kind = kind_of(r, program->kind);
  r->counts[COUNT_UNSOUND]++;
  kind->unsound++;
  if (!kind->smallest || sweep_is_simpler(program, kind->smallest)) kind->smallest = program;
}

/* Messages that are alike up to their end are one. */
void sweep_count_refused(struct sweep_result *r, const struct small_listed *program, const char *message) {
  struct sweep_refusal *refusal = r->refusals, *end = refusal + r->refusal_count;
  r->counts[COUNT_REFUSED]++;
  if (!*message) return; /* it is not told */
  while (refusal < end && strncmp(refusal->message, message, REFUSAL_TEXT - 1) != 0) refusal++;
  if (refusal == r->refusals + SWEEP_REFUSALS) return;
  if (refusal == end) {
    r->refusal_count++;
    snprintf(refusal->message, sizeof refusal->message, "%s", message);
  }
  refusal->count++;
  if (!refusal->smallest || sweep_is_simpler(program, refusal->smallest)) refusal->smallest = program;
}
