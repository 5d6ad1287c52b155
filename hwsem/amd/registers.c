/* SPDX-License-Identifier: MIT */
/* Registers by name, and their names. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "hwsem/amd/assembly.h"

static const struct {
  const char *text;
  unsigned reg, words;
} REGISTERS[] = {
    {"vcc", AMD_VCC, 2},
    {"vcc_lo", AMD_VCC, 1},
    {"vcc_hi", AMD_VCC + 1, 1},
    {"exec", AMD_EXEC, 2},
    {"exec_lo", AMD_EXEC, 1},
    {"exec_hi", AMD_EXEC + 1, 1},
    {"m0", AMD_M0, 1},
    {"scc", AMD_SCC, 1},
    {"null", AMD_NULL, 1},
    {"flat_scratch", AMD_FLAT_SCRATCH, 2},
    {"flat_scratch_lo", AMD_FLAT_SCRATCH, 1},
    {"flat_scratch_hi", AMD_FLAT_SCRATCH + 1, 1},
    {"xnack_mask", AMD_XNACK, 2},
    {"xnack_mask_lo", AMD_XNACK, 1},
    {"xnack_mask_hi", AMD_XNACK + 1, 1},
};

static const struct {
  const char *text;
  unsigned first, room;
} FILES[] = {{"ttmp", AMD_TTMP, 16}, {"s", AMD_S, 128}, {"v", AMD_V, 256}, {"a", AMD_A, 256}};

/* `12` or `[4:7]` */
static bool read_range(const char *at, size_t length, unsigned *first, unsigned *words) {
  char text[24];
  int used = 0;
  unsigned last;
  if (length == 0 || length >= sizeof text) return false;
  memcpy(text, at, length);
  text[length] = '\0';
  if (isdigit((unsigned char)*text) && sscanf(text, "%3u%n", first, &used) == 1 && (size_t)used == length) {
    *words = 1;
    return true;
  }
  if (sscanf(text, "[%3u:%3u]%n", first, &last, &used) != 2 || (size_t)used != length || last < *first) return false;
  *words = last - *first + 1;
  return *words <= 16;
}

int amd_register(const char *text, size_t length, unsigned *words) {
  for (size_t i = 0; i < ARRAY_COUNT(REGISTERS); i++)
    if (text_part_is(text, length, REGISTERS[i].text)) {
      *words = REGISTERS[i].words;
      return (int)REGISTERS[i].reg;
    }
  for (size_t i = 0; i < ARRAY_COUNT(FILES); i++) {
    size_t prefix = strlen(FILES[i].text);
    unsigned first;
    if (length <= prefix || memcmp(text, FILES[i].text, prefix) != 0) continue;
    if (!read_range(text + prefix, length - prefix, &first, words)) continue;
    if (first + *words <= FILES[i].room) return (int)(FILES[i].first + first);
  }
  return -1;
}

const char *amd_register_name(struct arena *arena, unsigned reg, unsigned words) {
  for (size_t i = 0; i < ARRAY_COUNT(REGISTERS); i++)
    if (REGISTERS[i].reg == reg && REGISTERS[i].words == words) return REGISTERS[i].text;
  const char *file = reg >= AMD_A ? "a" : reg >= AMD_V ? "v" : reg >= AMD_TTMP ? "ttmp" : "s";
  unsigned first = reg >= AMD_A ? AMD_A : reg >= AMD_V ? AMD_V : reg >= AMD_TTMP ? AMD_TTMP : AMD_S;
  if (words <= 1) return arena_printf(arena, "%s%u", file, reg - first);
  return arena_printf(arena, "%s[%u:%u]", file, reg - first, reg - first + words - 1);
}
