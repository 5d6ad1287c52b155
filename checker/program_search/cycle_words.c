/* SPDX-License-Identifier: MIT */
/* Edges by their words: those with their directions, those with directions after, and
 * what diy has two words for. */
#include "checker/program_search/cycle_words.h"

#include <fnmatch.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"

/* Words with their directions, and words with directions after. */
static const struct {
  const char *word;
  struct edge edge;
} FIXED[] = {
    {"Rfe", {.external = true, .same = true, .reads_from = true, .from = 'W', .to = 'R'}},
    {"Fre", {.external = true, .same = true, .from_read = true, .from = 'R', .to = 'W'}},
    {"Coe", {.external = true, .same = true, .from = 'W', .to = 'W'}},
    {"Wse", {.external = true, .same = true, .from = 'W', .to = 'W'}},
    {"Rfi", {.same = true, .reads_from = true, .from = 'W', .to = 'R', .shown = "rfi"}},
    {"Fri", {.same = true, .from_read = true, .from = 'R', .to = 'W', .shown = "fri"}},
    {"Coi", {.same = true, .from = 'W', .to = 'W', .shown = "coi"}},
    {"Wsi", {.same = true, .from = 'W', .to = 'W', .shown = "coi"}},
};

static const struct {
  const char *word;
  unsigned directions;
  struct edge edge;
} OPEN[] = {
    {"Pod", 2, {.shown = "po"}},
    {"Pos", 2, {.same = true, .shown = "pos"}},
    {"Fenced", 2, {.fence = true, .shown = "fence"}},
    {"Fences", 2, {.fence = true, .same = true, .shown = "fences"}},
    {"DpAddrd", 1, {.dependency = '&', .from = 'R', .shown = "addr"}},
    {"DpAddrs", 1, {.dependency = '&', .same = true, .from = 'R', .shown = "addrs"}},
    {"DpDatad", 1, {.dependency = '^', .from = 'R', .shown = "data"}},
    {"DpDatas", 1, {.dependency = '^', .same = true, .from = 'R', .shown = "datas"}},
    {"DpCtrld", 1, {.dependency = '!', .from = 'R', .shown = "ctrl"}},
    {"DpCtrls", 1, {.dependency = '!', .same = true, .from = 'R', .shown = "ctrls"}},
    {"Dpd", 1, {.dependency = '&', .from = 'R', .shown = "addr"}},
    {"Dps", 1, {.dependency = '&', .same = true, .from = 'R', .shown = "addrs"}},
    {"Ctrld", 1, {.dependency = '!', .from = 'R', .shown = "ctrl"}},
    {"Ctrls", 1, {.dependency = '!', .same = true, .from = 'R', .shown = "ctrls"}},
};

static bool is_direction(char c) {
  return c == 'R' || c == 'W';
}

bool cycle_edge_read(const char *word, struct edge *edge) {
  for (size_t i = 0; i < ARRAY_COUNT(FIXED); i++)
    if (!strcmp(FIXED[i].word, word)) {
      *edge = FIXED[i].edge;
      return true;
    }
  for (size_t i = 0; i < ARRAY_COUNT(OPEN); i++) {
    size_t length = strlen(OPEN[i].word);
    const char *rest = word + length;
    if (strncmp(OPEN[i].word, word, length) != 0 || strlen(rest) != OPEN[i].directions) continue;
    *edge = OPEN[i].edge;
    edge->to = rest[OPEN[i].directions - 1];
    if (OPEN[i].directions == 2) edge->from = rest[0];
    if (edge->dependency == '^' && edge->to == 'R') return false; /* a load has no value to depend */
    return is_direction(edge->from) && is_direction(edge->to);
  }
  return false;
}

/* ---- lists ---- */

/* Some edges have two words; a wildcard stands for the first. */
static bool is_other_word(const char *word) {
  static const char *const OTHERS[] = {"Wse", "Wsi", "Dpd", "Dps", "Ctrld", "Ctrls"};
  return text_index(word, OTHERS, ARRAY_COUNT(OTHERS)) >= 0;
}

bool cycle_words_have(const struct cycle_words *words, const char *word) {
  return text_index(word, words->at, words->count) >= 0;
}

static bool add_if(struct arena *arena, const char *pattern, const char *word, struct cycle_words *words) {
  struct edge edge;
  if (fnmatch(pattern, word, 0) != 0 || !cycle_edge_read(word, &edge)) return false;
  if (!cycle_words_have(words, word)) *vec_push(arena, words) = arena_strdup(arena, word);
  return true;
}

static bool add_open(struct arena *arena, const char *pattern, size_t i, struct cycle_words *words) {
  bool some = false;
  for (unsigned k = 0; k < 4; k++) {
    char directions[3] = {"RW"[k >> 1], "RW"[k & 1], 0};
    if (OPEN[i].directions == 1 && k > 1) break;
    const char *behind = OPEN[i].directions == 1 ? directions + 1 : directions;
    some |= add_if(arena, pattern, arena_printf(arena, "%s%s", OPEN[i].word, behind), words);
  }
  return some;
}

bool cycle_words_add(struct arena *arena, const char *pattern, struct cycle_words *words) {
  bool some = false, is_pattern = strchr(pattern, '*') != NULL;
  for (size_t i = 0; i < ARRAY_COUNT(OPEN); i++)
    if (!is_pattern || !is_other_word(OPEN[i].word)) some |= add_open(arena, pattern, i, words);
  for (size_t i = 0; i < ARRAY_COUNT(FIXED); i++)
    if (!is_pattern || !is_other_word(FIXED[i].word)) some |= add_if(arena, pattern, FIXED[i].word, words);
  return some;
}
