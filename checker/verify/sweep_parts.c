/* SPDX-License-Identifier: MIT */
/* Where a sweep is cut into parts. */
#include "checker/verify/sweep_parts.h"

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"

enum { MOST_PROGRAMS = 8192, MANY_PARTS = 4096, MOST_PARTS = 1 << 20 };

struct sweep_run {
  struct parts *parts;
  const struct sweep_work *work;
  _Atomic uint64_t end; /* how many programs there are, once a worker has seen it; before: UINT64_MAX */
};

struct worker {
  struct sweep_run *sweep;
  void *own;
  uint64_t part, index; /* claimed, PARTS_END: none; the next program of the family */
  bool cancelled;
  bool left; /* the family, for a part of another subject or one that was passed */
};

struct sweep_cut sweep_cut(uint64_t programs, uint64_t least) {
  uint64_t size = least;
  while (programs / size > (size < MOST_PROGRAMS ? MANY_PARTS : MOST_PARTS)) size *= 2;
  return (struct sweep_cut){size, (programs + size - 1) / size};
}

static bool claim(struct worker *w) {
  if (!parts_claim(w->sweep->parts, &w->part)) w->part = PARTS_END;
  if (w->part == PARTS_END) return false;
  w->sweep->work->begin(w->own);
  return true;
}

/* Ends a part, which counts where it is `kept`. */
static void end_part(struct worker *w, bool kept) {
  struct text text = text_new();
  w->sweep->work->end(w->own, text.out);
  text_end(&text);
  if (kept) parts_hand_in(w->sweep->parts, w->part, text.at);
  text_free(&text);
}

/* Stops after the last part of this subject. */
static bool visit(void *context, const struct small_program *program) {
  struct worker *w = context;
  const struct sweep_work *work = w->sweep->work;
  w->cancelled = is_cancelled(work->cancel);
  if (w->cancelled) return false;
  uint64_t subject = w->part / work->cut.parts, part = w->index / work->cut.programs;
  if (part >= work->cut.parts) part = work->cut.parts - 1;
  if (part > w->part % work->cut.parts) {
    end_part(w, true);
    w->left = !claim(w) || w->part / work->cut.parts != subject || w->part % work->cut.parts < part;
    if (w->left) return false;
  }
  if (part == w->part % work->cut.parts) work->try_program(w->own, (size_t)subject, w->index, program);
  w->index++;
  return true;
}

static void *do_parts(void *context, size_t index) {
  (void)index;
  struct sweep_run *sweep = context;
  const struct sweep_work *work = sweep->work;
  struct worker w = {.sweep = sweep, .own = work->open(work->context)};
  claim(&w);
  while (w.part != PARTS_END && !w.cancelled) {
    w.index = 0;
    w.left = false;
    if (w.part % work->cut.parts * work->cut.programs < sweep->end) work->generate(work->family, visit, &w);
    if (!w.left) w.cancelled = is_cancelled(work->cancel); /* the last program may not be done */
    if (w.cancelled || w.left) continue;
    if (w.index) sweep->end = w.index;
    end_part(&w, true); /* the family ended within the part, or before */
    claim(&w);
  }
  if (w.part != PARTS_END && w.cancelled) { /* as far as it is done */
    guard_note_limit();
    end_part(&w, !work->whole);
  }
  work->close(w.own);
  return context;
}

bool sweep_parts_run(struct parts *parts, const struct sweep_work *work) {
  struct sweep_run sweep = {.parts = parts, .work = work, .end = UINT64_MAX};
  struct pool_jobs jobs = {.context = &sweep, .work = do_parts};
  unsigned workers = work->workers ? work->workers : 1;
  parts_set_total(parts, work->cut.parts * work->subjects);
  pool_run(workers, workers, &jobs);
  return !is_cancelled(work->cancel);
}
