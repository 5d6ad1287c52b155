/* SPDX-License-Identifier: MIT */
/* Profiles: their reader, and what runs their phases for either kind of host. */
#include <ctype.h>
#include <string.h>

#include "hwsem/timing/adsm_profile_run.h"

const char *const adsm_part_names[ADSM_PARTS + 1] = {"CPU",  "GPU",    "I/O read", "I/O write",
                                                     "copy", "signal", "launch",   NULL};

/* ---- reading ---- */

struct reader {
  struct arena *arena;
  const char *at;
  struct adsm_profile *profile;
  const char *fault;
  int depth;
};

enum { MOST_DEPTH = 8 };
static const int64_t MOST = INT64_C(1) << 32;

static bool refuse(struct reader *r, const char *what) {
  if (!r->fault) r->fault = what;
  return false;
}

static bool fail(struct reader *r, const char *what) {
  return refuse(r, *r->at ? arena_printf(r->arena, "%s, not '%.20s'", what, r->at)
                          : arena_printf(r->arena, "%s, not its end", what));
}

static bool eat(struct reader *r, char c) {
  if (*r->at != c) return false;
  r->at++;
  return true;
}

/* A number from `low` on; `size`: K or M may be after it. */
static bool read_number(struct reader *r, bool size, int64_t low, int64_t *number) {
  const char *start = r->at;
  *number = 0;
  for (; isdigit((unsigned char)*r->at) && *number <= MOST; r->at++) *number = *number * 10 + (*r->at - '0');
  bool digits = r->at > start;
  if (size && eat(r, 'K'))
    *number <<= 10;
  else if (size && eat(r, 'M'))
    *number <<= 20;
  if (digits && *number >= low && *number <= MOST) return true;
  r->at = start;
  return fail(r, size ? "a size is a number of bytes up to 4096M" : "expected a number up to 2^32");
}

static size_t word_length(const struct reader *r) {
  size_t length = 0;
  while (isalpha((unsigned char)r->at[length]) || r->at[length] == '-') length++;
  return length;
}

static bool read_accelerator(struct reader *r, int *accelerator) {
  int64_t number;
  if (!eat(r, '@')) return true;
  const char *start = r->at;
  if (!read_number(r, false, 1, &number)) return false;
  if (number > ADSM_ACCELERATORS) {
    r->at = start;
    return fail(r, "accelerators are 1 to 4");
  }
  *accelerator = (int)number - 1;
  return true;
}

static bool read_objects(struct reader *r) {
  do {
    struct adsm_profile *profile = r->profile;
    size_t length = word_length(r);
    if (!length) return fail(r, "expected the name of an object");
    if (profile->objects == ADSM_OBJECTS) return refuse(r, "a profile has 8 objects at most");
    struct adsm_object *object = &profile->object[profile->objects];
    profile->name[profile->objects++] = arena_strndup(r->arena, r->at, length);
    r->at += length;
    if (!eat(r, '/')) return fail(r, "expected / and a size");
    if (!read_number(r, true, 1, &object->size)) return false;
    object->written = eat(r, '!');
    if (!read_accelerator(r, &object->accelerator)) return false;
  } while (eat(r, '+'));
  return eat(r, '|') || fail(r, "expected | and phases");
}

static bool read_object(struct reader *r, int *object) {
  size_t length = word_length(r);
  for (int i = 0; i < r->profile->objects; i++) {
    const char *name = r->profile->name[i];
    if (strlen(name) != length || strncmp(name, r->at, length) != 0) continue;
    *object = i;
    r->at += length;
    return true;
  }
  return fail(r, "expected the name of one of its objects");
}

static bool read_phases(struct reader *r, struct profile_phase **list);

/* Verbs and what stands after them: o an object, n a number from 1 on, t a time, s a size; @: of an accelerator. */
static const struct {
  const char *name, *operands;
} verbs[PHASES] = {[PHASE_READ] = {"read", "o"},     [PHASE_DUMP] = {"dump", "o"},  [PHASE_FILL] = {"fill", "o"},
                   [PHASE_LOAD] = {"load", "o"},     [PHASE_PEEK] = {"peek", "on"}, [PHASE_POKE] = {"poke", "on"},
                   [PHASE_WEAVE] = {"weave", "ons"}, [PHASE_CPU] = {"cpu", "t"},    [PHASE_CALL] = {"call", "t@"},
                   [PHASE_START] = {"start", "t@"},  [PHASE_WAIT] = {"wait", "@"}};

static bool read_verb(struct reader *r, struct profile_phase *phase) {
  size_t length = word_length(r);
  int64_t *number = &phase->number;
  for (int i = 0; i < PHASES; i++) {
    if (i == PHASE_REPEAT || strlen(verbs[i].name) != length || strncmp(verbs[i].name, r->at, length) != 0) continue;
    phase->kind = (enum profile_kind)i;
    r->at += length;
    for (const char *operand = verbs[i].operands; *operand; operand++) {
      if (*operand == '@') return read_accelerator(r, &phase->accelerator);
      if (!eat(r, ':')) return fail(r, "expected : and an operand");
      if (*operand == 'o' && !read_object(r, &phase->object)) return false;
      if (*operand == 's' && !read_number(r, true, 1, &phase->size)) return false;
      if ((*operand == 'n' || *operand == 't') && !read_number(r, false, *operand == 'n', number)) return false;
    }
    return true;
  }
  return fail(r, "a phase is read, dump, fill, load, peek, poke, weave, cpu, call, start, wait or N(...)");
}

static bool read_repeat(struct reader *r, struct profile_phase *phase) {
  phase->kind = PHASE_REPEAT;
  if (!read_number(r, false, 1, &phase->number)) return false;
  if (!eat(r, '(')) return fail(r, "expected ( after the number");
  if (++r->depth > MOST_DEPTH) return refuse(r, "phases are nested too deeply");
  if (!read_phases(r, &phase->body)) return false;
  r->depth--;
  return eat(r, ')') || fail(r, "expected )");
}

static bool read_phases(struct reader *r, struct profile_phase **list) {
  do {
    struct profile_phase *phase = *list = ARENA_NEW(r->arena, struct profile_phase);
    list = &phase->next;
    if (!(isdigit((unsigned char)*r->at) ? read_repeat(r, phase) : read_verb(r, phase))) return false;
  } while (eat(r, ';'));
  return true;
}

/* So that a run ends: steps of all phases together. */
static double count_steps(const struct adsm_profile *profile, const struct profile_phase *phase) {
  double sum = 0;
  for (; phase; phase = phase->next) {
    double steps = 1;
    if (phase->kind == PHASE_REPEAT) steps = (double)phase->number * count_steps(profile, phase->body);
    if (phase->kind == PHASE_PEEK || phase->kind == PHASE_POKE) steps = (double)phase->number;
    if (phase->kind == PHASE_WEAVE) steps = (double)profile->object[phase->object].size / (double)phase->size;
    sum += steps;
  }
  return sum;
}

/* What the host does while kernels run: the objects of their accelerator are theirs (section 3.3). */
static bool check_order(struct reader *r, const struct profile_phase *phase, bool *runs) {
  for (; phase; phase = phase->next) {
    const struct adsm_object *object = &r->profile->object[phase->object];
    bool uses = phase->kind != PHASE_REPEAT && *verbs[phase->kind].operands == 'o', *here = &runs[phase->accelerator];
    if (uses && runs[object->accelerator])
      return refuse(r, arena_printf(r->arena, "the host uses %s while a kernel may", r->profile->name[phase->object]));
    if (phase->kind == PHASE_WAIT && !*here) return refuse(r, "nothing was started that is waited for");
    if ((phase->kind == PHASE_CALL || phase->kind == PHASE_START) && *here)
      return refuse(r, "a kernel runs there already, and was not waited for");
    if (phase->kind == PHASE_START || phase->kind == PHASE_WAIT) *here = phase->kind == PHASE_START;
    for (int twice = 0; phase->kind == PHASE_REPEAT && twice < 2 && (!twice || phase->number > 1); twice++)
      if (!check_order(r, phase->body, runs)) return false;
  }
  return true;
}

static bool check_end(struct reader *r) {
  bool runs[ADSM_ACCELERATORS] = {false};
  if (!check_order(r, r->profile->phases, runs)) return false;
  for (int i = 0; i < ADSM_ACCELERATORS; i++)
    if (runs[i]) return refuse(r, "a kernel that was started is never waited for");
  return true;
}

const struct adsm_profile *adsm_profile_read(struct arena *arena, const char *text, const char **fault) {
  struct adsm_profile *profile = ARENA_NEW(arena, struct adsm_profile);
  struct reader r = {.arena = arena, .at = text, .profile = profile};
  bool good = read_objects(&r) && read_phases(&r, &profile->phases) && (!*r.at || fail(&r, "expected ; or the end"));
  if (good && count_steps(profile, profile->phases) > 1e7) good = refuse(&r, "more than 10000000 steps");
  good = good && check_end(&r);
  *fault = r.fault;
  return good ? profile : NULL;
}

/* ---- running ---- */

int64_t adsm_profile_time(const struct adsm_profile_cost *cost) {
  int64_t sum = 0;
  for (int i = 0; i < ADSM_PARTS; i++) sum += cost->part[i];
  return sum;
}

void profile_pass(struct profile_run *run, enum adsm_part part, int64_t time) {
  run->now += time;
  run->cost.part[part] += time;
}

void profile_transfer(struct profile_run *run, bool up, int64_t bytes, bool waits) {
  int64_t time = adsm_transfer_time(&run->p->adsm, up, bytes);
  if (run->engine > run->now) profile_pass(run, ADSM_PART_COPY, run->engine - run->now);
  run->cost.events++;
  *(up ? &run->cost.up : &run->cost.down) += bytes;
  if (waits) profile_pass(run, ADSM_PART_COPY, time);
  run->engine = waits ? run->now : run->now + time;
}

/* PARTS parts of an object side by side. */
static void weave(struct profile_run *run, const struct profile_phase *phase) {
  int64_t part = (run->profile->object[phase->object].size + phase->number - 1) / phase->number;
  for (int64_t at = 0; at < part; at += phase->size)
    for (int64_t i = 0; i < phase->number; i++) {
      int64_t byte = i * part + at, end = run->profile->object[phase->object].size;
      if (byte < end) run->host.touch(&run->host, phase->object, byte, ADSM_WRITE);
      profile_pass(run, ADSM_PART_CPU, phase->size * run->p->adsm.produce / 1024);
    }
}

/* The end of an accelerator's kernel; its objects are the host's again. */
static void wait_for(struct profile_run *run, int accelerator) {
  int64_t left = run->kernel[accelerator] - run->now;
  if (left > 0) profile_pass(run, ADSM_PART_GPU, left);
  run->host.sync(&run->host, accelerator);
}

static void run_phase(struct profile_run *run, const struct profile_phase *phase) {
  const struct adsm_profile_parameters *p = run->p;
  int64_t size = run->profile->object[phase->object].size;
  switch (phase->kind) {
    case PHASE_READ:
      run->host.sweep(&run->host, phase->object, ADSM_WRITE, ADSM_PART_IO_READ, p->adsm.input);
      break;
    case PHASE_DUMP:
      run->host.sweep(&run->host, phase->object, ADSM_READ, ADSM_PART_IO_WRITE, p->output);
      break;
    case PHASE_FILL:
      run->host.sweep(&run->host, phase->object, ADSM_WRITE, ADSM_PART_CPU, p->adsm.produce);
      break;
    case PHASE_LOAD:
      run->host.sweep(&run->host, phase->object, ADSM_READ, ADSM_PART_CPU, p->adsm.produce);
      break;
    case PHASE_PEEK:
    case PHASE_POKE:
      for (int64_t i = 0; i < phase->number; i++)
        run->host.touch(&run->host, phase->object, i * (size / phase->number),
                        phase->kind == PHASE_PEEK ? ADSM_READ : ADSM_WRITE);
      break;
    case PHASE_WEAVE:
      weave(run, phase);
      break;
    case PHASE_CPU:
      profile_pass(run, ADSM_PART_CPU, phase->number * 1000);
      break;
    case PHASE_CALL:
    case PHASE_START:
      run->host.call(&run->host, phase->accelerator);
      profile_pass(run, ADSM_PART_LAUNCH, p->launch);
      run->kernel[phase->accelerator] = run->now + phase->number * 1000;
      if (phase->kind == PHASE_CALL) wait_for(run, phase->accelerator);
      break;
    case PHASE_WAIT:
      wait_for(run, phase->accelerator);
      break;
    case PHASE_REPEAT:
    case PHASES:
      break;
  }
}

void profile_run_phases(struct profile_run *run, const struct profile_phase *phase) {
  for (; phase && !cost_limit_met(run->limit); phase = phase->next) {
    for (int64_t i = 0; phase->kind == PHASE_REPEAT && i < phase->number && !run->limit->met; i++)
      profile_run_phases(run, phase->body);
    run_phase(run, phase);
  }
}
