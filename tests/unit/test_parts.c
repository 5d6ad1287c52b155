/* SPDX-License-Identifier: MIT */
/* Files of parts: whatever befalls one, it gives the results that were put in, or says that it does not. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/parts.h"
#include "tests/unit/unit.h"

enum { PARTS = 5 };

static const char *result_of(uint64_t part) {
  static char text[64];
  snprintf(text, sizeof text, "%u sound\nof \\%u in 0.25", (unsigned)part * 7, (unsigned)part % 3);
  return text;
}

static const struct parts_division DIVISION = {.version = "1", .command = "verify -- a", .files = "0123abcd"};

struct fixture {
  struct arena *arena;
  struct diags diags;
  char path[64];
};

static int set_up(void **state) {
  struct arena *arena = arena_new();
  struct fixture *f = ARENA_NEW(arena, struct fixture);
  *f = (struct fixture){.arena = arena, .diags = diags_new(arena), .path = "/tmp/litscope-parts-XXXXXX"};
  int descriptor = mkstemp(f->path);
  assert_true(descriptor >= 0);
  close(descriptor);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *f = *state;
  unlink(f->path);
  arena_free(f->arena);
  return 0;
}

static struct parts *open_with(struct fixture *f, struct parts_division division) {
  return parts_open(f->arena, &division, &f->diags);
}

/* What a run with a shard writes, or one with a journal, as text. */
static char *written(struct fixture *f, size_t *size) {
  struct parts *parts = open_with(f, DIVISION);
  parts_set_total_here(parts, PARTS);
  for (uint64_t i = 0; i < PARTS; i++) parts_hand_in_here(parts, i, result_of(i), false);
  char *text;
  FILE *out = open_memstream(&text, size);
  parts_write(parts, out);
  fclose(out);
  assert_true(parts_close(parts, &f->diags));
  return text;
}

static void put(const struct fixture *f, const char *text, size_t size) {
  FILE *out = fopen(f->path, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, size, out), size);
  fclose(out);
}

static bool is_whole(struct parts *parts) {
  for (uint64_t i = 0; i < PARTS; i++)
    if (!parts_text(parts, i) || strcmp(parts_text(parts, i), result_of(i)) != 0) return false;
  return parts_total(parts) == PARTS;
}

/* Merged, the file is refused, or found incomplete, or gives every result. */
static bool merges(struct fixture *f) {
  struct diags own = diags_new(f->arena);
  struct parts *parts = parts_open(f->arena, &DIVISION, &own);
  parts_only_merge(parts);
  bool complete = parts_read(parts, f->path, &own) && parts_complete(parts, &own);
  assert_true(complete || own.errors);
  if (complete) assert_true(is_whole(parts));
  parts_close(parts, &own);
  return complete;
}

/* As a journal it is refused, or gone on with: what is missing is done again, and then all is there, for the next run
 * too. */
static void goes_on(struct fixture *f) {
  struct parts_division division = DIVISION;
  division.journal = f->path;
  for (int run = 0; run < 2; run++) {
    struct diags own = diags_new(f->arena);
    struct parts *parts = parts_open(f->arena, &division, &own);
    assert_true(parts || own.errors);
    if (!parts) return;
    uint64_t part, done = 0;
    parts_set_total_here(parts, PARTS);
    for (; parts_claim(parts, &part); done++) parts_hand_in(parts, part, result_of(part));
    assert_true(parts_complete(parts, &own) && is_whole(parts));
    assert_true(run == 0 || done == 0);
    assert_true(parts_close(parts, &own));
  }
}

/* Each byte with two of the eight kinds of damage; each kind meets every byte in four. */
TEST_WITH(every_byte, set_up, tear_down) {
  struct fixture *f = *state;
  static const char DAMAGE[] = {'0', '\n', '\0', ' ', 'p', (char)0x80};
  size_t size;
  char *text = written(f, &size);
  for (size_t at = 0; at < size; at++)
    for (size_t k = at % 4; k < sizeof DAMAGE + 2; k += 4) {
      char was = text[at];
      text[at] = (char)(k < sizeof DAMAGE ? DAMAGE[k] : was ^ (1 << (k - sizeof DAMAGE)));
      put(f, text, size);
      if (merges(f)) put(f, text, size);
      goes_on(f);
      text[at] = was;
    }
  free(text);
}

TEST_WITH(every_length, set_up, tear_down) {
  struct fixture *f = *state;
  size_t size;
  char *text = written(f, &size);
  for (size_t length = 0; length <= size; length++) {
    put(f, text, length);
    assert_int_equal(merges(f), length == size);
    put(f, text, length);
    goes_on(f);
  }
  free(text);
}

/* A line that is gone, that is there twice, and one that has changed its place. */
TEST_WITH(every_line, set_up, tear_down) {
  struct fixture *f = *state;
  size_t size;
  char *text = written(f, &size), *changed = malloc(2 * size);
  for (char *line = text; *line; line = strchr(line, '\n') + 1) {
    size_t before = (size_t)(line - text), length = strcspn(line, "\n") + 1, after = size - before - length;
    memcpy(changed, text, before);
    memcpy(changed + before, line + length, after);
    put(f, changed, before + after);
    assert_false(merges(f));
    put(f, changed, before + after);
    goes_on(f);
    memcpy(changed + before + after, line, length);
    put(f, changed, size);
    merges(f);
    memcpy(changed, text, size);
    memcpy(changed + size, line, length);
    put(f, changed, size + length);
    merges(f);
    goes_on(f);
  }
  free(changed);
  free(text);
}

static void reads(struct fixture *f, struct parts *parts, const char *line, bool good) {
  struct diags own = diags_new(f->arena);
  struct parts *other = open_with(f, DIVISION);
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  parts_set_total_here(other, PARTS);
  parts_hand_in_here(other, 3, line, false);
  parts_write(other, out);
  fclose(out);
  put(f, text, size);
  free(text);
  parts_close(other, &own);
  assert_int_equal(parts_read(parts, f->path, &own), good);
}

TEST_WITH(results_that_contradict, set_up, tear_down) {
  struct fixture *f = *state;
  struct parts *parts = open_with(f, DIVISION);
  parts_only_merge(parts);
  reads(f, parts, "12 sound in 0.25 s", true);
  reads(f, parts, "12 sound in 10.5 s", true); /* the same but for its time */
  reads(f, parts, "13 sound in 0.25 s", false);
  parts_close(parts, &f->diags);
  parts = open_with(f, DIVISION);
  parts_set_total_here(parts, 1);
  parts_hand_in_here(parts, 0, "1 1.5", false);
  parts_hand_in_here(parts, 0, "1 12.25", false);
  assert_true(parts_complete(parts, &f->diags));
  parts_hand_in_here(parts, 0, "1 5", false);
  assert_false(parts_complete(parts, &f->diags));
  assert_string_equal(f->diags.at[0].message, "part 0 has two results that contradict each other");
  parts_close(parts, &f->diags);
}

TEST_WITH(totals_that_contradict, set_up, tear_down) {
  struct fixture *f = *state;
  size_t size;
  char *text = written(f, &size);
  put(f, text, size);
  struct parts *parts = open_with(f, DIVISION);
  parts_only_merge(parts);
  parts_set_total_here(parts, PARTS + 1);
  assert_false(parts_read(parts, f->path, &f->diags));
  parts_close(parts, &f->diags);
  parts = open_with(f, DIVISION);
  for (uint64_t i = 0; i < PARTS; i++) parts_hand_in_here(parts, i, "", false);
  assert_false(parts_complete(parts, &f->diags));
  parts_set_total_here(parts, PARTS - 1);
  assert_false(parts_complete(parts, &f->diags));
  assert_string_equal(f->diags.at[1].message, "parts are missing: none of the files says how many there are");
  assert_string_equal(f->diags.at[2].message, "there is a part 4, but the files say that there are 4");
  parts_close(parts, &f->diags);
  free(text);
}

/* Work that a limit has cut: printed by a merge, done again by a run. */
TEST_WITH(cut_by_a_limit, set_up, tear_down) {
  struct fixture *f = *state;
  struct parts_division division = DIVISION;
  division.journal = f->path;
  uint64_t part;
  for (int run = 0; run < 2; run++) {
    struct parts *parts = open_with(f, division);
    parts_set_total_here(parts, 2);
    unsigned done = 0;
    for (; parts_claim(parts, &part); done++) {
      if (part == 1 && run == 0) guard_note_limit();
      parts_hand_in(parts, part, run ? "decided" : "first");
    }
    assert_int_equal(done, run ? 1 : 2);
    assert_true(parts_complete(parts, &f->diags));
    assert_string_equal(parts_text(parts, 1), run ? "decided" : "first");
    parts_close(parts, &f->diags);
    parts = open_with(f, DIVISION);
    parts_only_merge(parts);
    assert_true(parts_read(parts, f->path, &f->diags));
    assert_string_equal(parts_text(parts, 1), run ? "decided" : "first");
    parts_close(parts, &f->diags);
  }
}

TEST_WITH(of_another_version, set_up, tear_down) {
  struct fixture *f = *state;
  struct parts_division division = DIVISION;
  division.journal = f->path;
  parts_close(open_with(f, division), &f->diags);
  assert_int_equal(f->diags.errors, 0);
  division.version = "2";
  assert_null(open_with(f, division));
  assert_non_null(strstr(f->diags.at[f->diags.count - 1].message, "written by litscope 1"));
}

/* A number far from the others takes little memory. */
TEST_WITH(far_apart, set_up, tear_down) {
  struct fixture *f = *state;
  struct parts *parts = open_with(f, DIVISION);
  parts_hand_in_here(parts, (1u << 26) - 1, "last", false);
  assert_string_equal(parts_text(parts, (1u << 26) - 1), "last");
  assert_null(parts_text(parts, 5));
  parts_close(parts, &f->diags);
}
