/* SPDX-License-Identifier: MIT */
/* Programs of the mutex protocol's machines, and what their outcomes say. */
#include <stdio.h>
#include <string.h>

#include "hwsem/machines/fear.h"

static const char address_names[] = "xyzw";

/* One requester's operations: a count of operations on x, or addresses. */
static const char *read_requester(const char *word, size_t length, struct fear_program *program) {
  int i = program->requesters;
  if (i == FEAR_REQUESTERS) return "at most 6 requesters";
  bool is_count = length == 1 && word[0] >= '1' && word[0] <= '9';
  size_t ops = is_count ? (size_t)(word[0] - '0') : length;
  if (ops == 0) return "a requester's operations are a count, or letters among x, y, z and w";
  if (ops > FEAR_OPS) return "at most 8 operations for each requester";
  for (size_t j = 0; j < ops; j++) {
    const char *name = is_count ? address_names : strchr(address_names, word[j]);
    if (!name) return "a requester's operations are a count, or letters among x, y, z and w";
    int address = (int)(name - address_names);
    program->address[i][j] = (uint8_t)address;
    if (address >= program->addresses) program->addresses = address + 1;
  }
  program->ops[program->requesters++] = (int)ops;
  return NULL;
}

const char *fear_program_read(const char *text, struct fear_program *program) {
  *program = (struct fear_program){0};
  int total = 0;
  for (;;) {
    size_t length = strcspn(text, "+");
    const char *fault = read_requester(text, length, program);
    if (fault) return fault;
    total += program->ops[program->requesters - 1];
    if (total > FEAR_TOTAL_OPS) return "at most 31 operations";
    if (!text[length]) return NULL;
    text += length + 1;
  }
}

static int total_ops(const struct fear_program *program) {
  int total = 0;
  for (int i = 0; i < program->requesters; i++) total += program->ops[i];
  return total;
}

bool fear_outcome_is_atomic(const struct fear_program *program, const int64_t *values) {
  uint64_t seen[FEAR_ADDRESSES] = {0};
  int count[FEAR_ADDRESSES] = {0}, at = 0;
  for (int i = 0; i < program->requesters; i++)
    for (int j = 0; j < program->ops[i]; j++, at++) {
      int address = program->address[i][j];
      seen[address] |= (uint64_t)1 << values[at];
      count[address]++;
    }
  for (int a = 0; a < program->addresses; a++)
    if (seen[a] != ((uint64_t)1 << count[a]) - 1 || values[total_ops(program) + a] != count[a]) return false;
  return true;
}

void fear_outcome_print(const struct fear_program *program, const int64_t *values, FILE *out) {
  int at = 0;
  for (int i = 0; i < program->requesters; i++)
    for (int j = 0; j < program->ops[i]; j++) fprintf(out, "%d:r%d=%d; ", i, j, (int)values[at++]);
  for (int a = 0; a < program->addresses; a++)
    fprintf(out, "%s%c=%d", a ? "; " : "", address_names[a], (int)values[at + a]);
}
